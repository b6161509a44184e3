import type { DownloadOptions, Rest } from '@virgule/client/rest';
import type { Duration } from '../../text/duration.js';
import type { TaskHandles } from '../../tasks/define-task.js';
import type { EnvValues, Services } from '../register.js';
import type { Storage } from '../../storage/storage.js';
import type { BotVoice } from '../../voice/voice-setting.js';
import type { MessageInput, SentMessage } from '../answer/answer.js';
import type { TextSource } from '../answer/text-source.js';
import type { ContextLog } from './context-log.js';

/** The clock of handlers. Tests can advance it. */
export interface ContextClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Waits, also after the handler has returned; rejects as soon as the command times out or the bot shuts down. */
  readonly sleep: (duration: Duration) => Promise<void>;
}

/** What all code of a bot gets, its services included. Every member can be destructured. */
export interface BotContext {
  /** The environment, checked and converted by the config's `env` schema; typed by `Register`. */
  readonly env: EnvValues;
  /** What the bot remembers beyond a restart. */
  readonly storage: Storage;
  /** The tasks of the bot, to call them; typed by `Tasks`. */
  readonly tasks: TaskHandles;
  /** Plays audio in voice channels, with the setting `voice` of the configuration. */
  readonly voice: BotVoice;
  /** The complete REST interface. */
  readonly rest: Rest;
  readonly log: ContextLog;
  readonly clock: ContextClock;
  /** A number from 0 up to, not including, 1. Tests can fix it. */
  readonly random: () => number;
}

/** Shows that the bot is typing, once when it is called. */
export interface Typing {
  /** Shows it; it fades after a few seconds. Endpoint 11. */
  (): Promise<void>;
  /**
   * Shows it for as long as some work takes, and returns the result of the work. If the platform
   * refuses to show it, the work continues without it.
   */
  readonly during: <Result>(work: PromiseLike<Result> | (() => Result)) => Promise<Awaited<Result>>;
}

/** A channel to write to. Every member can be destructured. */
export interface ChannelHandle {
  readonly id: string;
  /**
   * Sends a message, with its files. Endpoint 6. With `split`, a text that is too long continues in
   * further messages; the handle is that of the first.
   */
  readonly send: (input: MessageInput) => Promise<SentMessage>;
  /**
   * Sends pieces of text as they arrive, such as those of a language model: the message is created with the
   * first and edited, at least 250 ms apart; text beyond 2000 characters continues in further messages. If
   * the source fails, the text so far remains, and the error is thrown.
   *
   * @returns handles of the messages, in their order; none if there was no text.
   */
  readonly append: (source: TextSource, options?: AppendOptions) => Promise<readonly SentMessage[]>;
  /** Shows that the bot is typing: `typing()` for a few seconds, `typing.during(work)` for as long as it takes. */
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
  /** That of this function, never of a channel. Typed so that a guard cannot be written with it. */
  readonly name: {
    readonly 'Only ids of channels are known: compare channelId. rest.servers.channels(serverId) reads names.': never;
  };
}

/** Options of `fetchAttachment`. */
export type FetchAttachmentOptions = Pick<DownloadOptions, 'maxBytes' | 'types'>;

/** What every handler gets. */
export interface HandlerContext extends BotContext {
  /**
   * Downloads an attachment from its URL: the value of an attachment option, or what `rest.attachments.accessUrl`
   * returned. Unlike `fetch`, it reaches only the platform, its file hosts and those of the setting
   * `attachments.hosts`, at public addresses, and reads no more than `maxBytes`. Ends with `signal`.
   *
   * @throws VirguleError `E_ATTACHMENT_REFUSED` for any other URL, and for a file that is too large, of another type, or
   * not there.
   *
   * @example
   * ```ts
   * const file = await fetchAttachment(options.file, { maxBytes: 1_000_000, types: ['text/*'] });
   * return `${(await file.text()).split('\n').length} lines`;
   * ```
   */
  readonly fetchAttachment: (url: string, options?: FetchAttachmentOptions) => Promise<Blob>;
  /** A channel, by id. */
  readonly channel: ChannelOf;
  /** The object that `services.ts` returned; typed by `Register`. */
  readonly services: Services;
}
