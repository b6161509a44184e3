import type { MessageInput, SentMessage } from '../command/answer/answer.js';
import type { TextSource } from '../command/answer/text-source.js';
import type { CreateTools } from '../command/context/call.js';
import type { CommandContext } from '../command/context/command-context.js';
import type { ChannelHandle, HandlerContext } from '../command/context/shared-context.js';

/** A call that needs a channel; `undefined` for events without a channel. */
type InChannel<Data, Call> = Data extends { readonly channelId: string } ? Call : Call | undefined;

/** The argument of an event handler. Every member can be destructured. */
export interface EventContext<Data> extends HandlerContext {
  /** The name of the event, such as `MESSAGE_CREATE` or `ready`. */
  readonly event: string;
  /** The payload. */
  readonly data: Data;
  /**
   * Payloads of earlier events for which the handler does not run, because this run replaces theirs: see the options `overlap`
   * and `burst`. Oldest first, the newest 100; with `overlap: 'abort'`, also the events of aborted runs.
   */
  readonly skipped: readonly Data[];
  /** `true` if the event was missed while there was no connection, and read back later. */
  readonly recovered: boolean;
  /** The channel of the event; `undefined` for events without a channel. */
  readonly here: InChannel<Data, ChannelHandle>;
  /**
   * Sends a message to the channel of the event, as a reply if the event is about a message. `undefined` for events without a
   * channel.
   */
  readonly reply: InChannel<Data, (input: MessageInput) => Promise<SentMessage>>;
  /** Like `here.append`, as a reply if the event is about a message. */
  readonly append: InChannel<Data, (source: TextSource) => Promise<readonly SentMessage[]>>;
  /**
   * Asks a question, as in a command. The question is sent by `reply`. `confirm`, `reactions` and `paginate` need the option
   * `intents: ['MESSAGE_REACTIONS']`, `waitForMessage` needs `SERVER_MESSAGES`, unless the event itself needs that intent.
   * While a handler waits for users, later events of its channel are delayed, except with `order: 'none'`.
   */
  readonly confirm: InChannel<Data, CommandContext['confirm']>;
  readonly waitForMessage: InChannel<Data, CommandContext['waitForMessage']>;
  readonly reactions: InChannel<Data, CommandContext['reactions']>;
  readonly paginate: InChannel<Data, CommandContext['paginate']>;
  /**
   * Returns commands as tools for a language model, in the form of the `ai` package: those with `tool: 'reads'`, or exactly the
   * given ones. A model runs them in this channel, without an author.
   *
   * @example
   * ```ts
   * const { text } = await generateText({ model, prompt, tools: tools(), abortSignal: signal });
   * ```
   */
  readonly tools: CreateTools;
  /**
   * Signal that is aborted when the handler exceeds its `timeout`, when the bot shuts down during the run, and with
   * `overlap: 'abort'` when a newer event arrives.
   */
  readonly signal: AbortSignal;
}
