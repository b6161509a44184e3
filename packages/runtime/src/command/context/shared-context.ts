import type { DownloadOptions, Rest } from '@virgule/client/rest';
import type { Duration } from '../../text/duration.js';
import type { UserRef } from '../../options/references.js';
import type { TaskHandles } from '../../tasks/define-task.js';
import type { EnvValues, Services } from '../register.js';
import type { Storage } from '../../storage/storage.js';
import type { BotVoice } from '../../voice/voice-setting.js';
import type { MessageInput, SentMessage } from '../answer/answer.js';
import type { TextSource } from '../answer/text-source.js';
import type { CallCommand } from './call.js';
import type { ChannelHistoryOptions, ChatMessage } from './channel-history.js';
import type { ContextLog } from './context-log.js';

/** The clock of handlers. Tests can advance it. */
export interface ContextClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Waits, also after the handler has returned. Rejects as soon as the command times out or the bot shuts down. */
  readonly sleep: (duration: Duration) => Promise<void>;
}

/** Members that all code of a bot gets, also `services.ts`. Every member can be destructured. */
export interface BotContext {
  /** The environment, checked and converted by the config's `env` schema; typed by `Register`. */
  readonly env: EnvValues;
  /** Persistent storage of the bot, which survives restarts. */
  readonly storage: Storage;
  /** Handles that call the tasks of the bot; typed by `Tasks`. */
  readonly tasks: TaskHandles;
  /** Plays audio in voice channels, with the setting `voice` of the configuration. */
  readonly voice: BotVoice;
  /** Returns a channel by its id. */
  readonly channel: ChannelOf;
  /** The complete REST interface. */
  readonly rest: Rest;
  readonly log: ContextLog;
  readonly clock: ContextClock;
  /** A number from 0 up to, not including, 1. Tests can fix it. */
  readonly random: () => number;
}

/** Shows that the bot is typing; a call shows the indicator once. */
export interface Typing {
  /** Shows the typing indicator for a few seconds. Endpoint 11. */
  (): Promise<void>;
  /**
   * Shows the typing indicator until some work is done, and returns the result of the work. If the platform refuses the
   * indicator, the work continues without it.
   */
  readonly during: <Result>(work: PromiseLike<Result> | (() => Result)) => Promise<Awaited<Result>>;
}

/** A channel to write to. Every member can be destructured. */
export interface ChannelHandle {
  readonly id: string;
  /**
   * Sends a message with its files. Endpoint 6. With `split`, a text of more than 2000 characters continues in further
   * messages, and the first message is returned.
   */
  readonly send: (input: MessageInput) => Promise<SentMessage>;
  /**
   * Sends pieces of text as they arrive, such as the result of `streamText` of the `ai` package: the first piece creates the
   * message, and edits at least 250 ms apart add the others. Text beyond 2000 characters continues in further messages. Markdown
   * that is still open is closed until its end arrives. If the source fails, the text so far remains, and the error is thrown.
   *
   * @returns handles of the messages, in their order; an empty array if there was no text.
   */
  readonly append: (source: TextSource, options?: AppendOptions) => Promise<readonly SentMessage[]>;
  /**
   * Reads the newest messages of this channel as a conversation for a language model, oldest first: neighboring messages of
   * one role become one, and a file is `[file: name]`. The text is data that any user may have written. In an event handler, the
   * message of the event is the last.
   *
   * @example
   * ```ts
   * const answer = streamText({ model, messages: await here.history({ limit: 30, names: true }) });
   * ```
   */
  readonly history: (options: ChannelHistoryOptions) => Promise<ChatMessage[]>;
  /** Shows that the bot is typing: `typing()` for a few seconds, `typing.during(work)` until the work is done. */
  readonly typing: Typing;
}

/** Options of `append`. */
export interface AppendOptions {
  /** Id of the message that the first message replies to. @defaultValue none */
  readonly replyTo?: string | undefined;
}

/** Returns a channel by its id. */
export interface ChannelOf {
  (channelId: string): ChannelHandle;
  /** Name of this function, never of a channel. The type prevents a comparison with the name of a channel. */
  readonly name: {
    readonly 'Only ids of channels are known: compare channelId. rest.servers.channels(serverId) reads names.': never;
  };
}

/** Options of `fetchAttachment`. */
export type FetchAttachmentOptions = Pick<DownloadOptions, 'maxBytes' | 'types'>;

/** Members that every handler gets. */
export interface HandlerContext extends BotContext {
  /**
   * Downloads an attachment from its URL: the value of an attachment option, or the result of `rest.attachments.accessUrl`.
   * Unlike `fetch`, the download reaches only the platform, its file hosts and the hosts of the setting `attachments.hosts`, at
   * public addresses, and reads no more than `maxBytes`. The `signal` of the handler ends it.
   *
   * @throws VirguleError `E_ATTACHMENT_REFUSED` for any other URL, and for a file that is too large, of another type, or
   * missing.
   *
   * @example
   * ```ts
   * const file = await fetchAttachment(options.file, { maxBytes: 1_000_000, types: ['text/*'] });
   * return `${(await file.text()).split('\n').length} lines`;
   * ```
   */
  readonly fetchAttachment: (url: string, options?: FetchAttachmentOptions) => Promise<Blob>;
  /**
   * Runs a command of the bot as a user would, in this channel, and returns its answer instead of sending it.
   *
   * @example
   * ```ts
   * const { content } = await call(weather, { city: 'Rome' });
   * ```
   */
  readonly call: CallCommand;
  /** The bot itself: `me.id`, and its mention as text, `${me}`. The form of a mention is assumed. */
  readonly me: UserRef;
  /** The object that `services.ts` returned; typed by `Register`. */
  readonly services: Services;
}
