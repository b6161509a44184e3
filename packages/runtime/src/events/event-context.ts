import type { MessageInput, SentMessage } from '../command/answer/answer.js';
import type { TextSource } from '../command/answer/text-source.js';
import type { CommandContext } from '../command/context/command-context.js';
import type { ChannelHandle, HandlerContext } from '../command/context/shared-context.js';

/** The calls that need a channel: `undefined` for events that have none. */
type InChannel<Data, Call> = Data extends { readonly channelId: string } ? Call : Call | undefined;

/** What an event handler receives. Every member can be destructured. */
export interface EventContext<Data> extends HandlerContext {
  /** The name of the event, such as `MESSAGE_CREATE` or `ready`. */
  readonly event: string;
  /** The payload. */
  readonly data: Data;
  /** Whether the event was missed while there was no connection, and read back later. */
  readonly recovered: boolean;
  /** The channel of the event; `undefined` for events that have none. */
  readonly here: InChannel<Data, ChannelHandle>;
  /**
   * Sends a message to the channel of the event, as a reply to its message if it has one. `undefined` for
   * events that have no channel.
   */
  readonly reply: InChannel<Data, (input: MessageInput) => Promise<SentMessage>>;
  /** Like `here.append`, as a reply to the message of the event if it has one. */
  readonly append: InChannel<Data, (source: TextSource) => Promise<readonly SentMessage[]>>;
  /**
   * As in a command. The question is a `reply`. `confirm`, `reactions` and `paginate` need the option
   * `intents: ['MESSAGE_REACTIONS']`, `waitForMessage` needs `SERVER_MESSAGES`, unless the event itself does. While a handler
   * waits, the next events of its channel wait for it; with `order: 'none'` they do not.
   */
  readonly confirm: InChannel<Data, CommandContext['confirm']>;
  readonly waitForMessage: InChannel<Data, CommandContext['waitForMessage']>;
  readonly reactions: InChannel<Data, CommandContext['reactions']>;
  readonly paginate: InChannel<Data, CommandContext['paginate']>;
  /** Aborted when the handler exceeds its `timeout`, and when the bot shuts down while it runs. */
  readonly signal: AbortSignal;
}
