import type { Message, ReactionEvent } from '@virgule/core/protocol';
import { isSentMessage } from '../answer/sent-message.js';
import type { SentMessage } from '../answer/answer.js';
import type { Duration } from '../../text/duration.js';
import { createListener, type Waiter, type Who } from './listener.js';

/** Options of `reactions`. */
export interface ReactionsOptions {
  /**
   * Whose reactions count. An explicit `undefined` is no one.
   *
   * @defaultValue `'anyone'`, which is anyone but this bot
   */
  readonly by?: Who;
  /** How long it listens, from the call on. */
  readonly within: Duration;
  /**
   * Decides which reactions count, such as those with ✅; others are ignored.
   *
   * @defaultValue all
   */
  readonly filter?: ((reaction: ReactionEvent) => boolean) | undefined;
}

/** A message in the channel of the command: one the bot wrote, one that was read, or its id. */
export type MessageReference = SentMessage | Pick<Message, 'id'> | string;

/** The last reaction to each message of the bot that was read: a mark of the waits. */
const readTo = new WeakMap<SentMessage, number>();

/**
 * Yields the reactions that are added to a message. The loop ends when the time is over. Listens from the
 * call on, not from the first step; leaving the loop ends it. For the handle of a message that the bot
 * wrote, it begins when that appeared, or where the last loop ended.
 */
export function reactions(
  message: MessageReference,
  options: Partial<ReactionsOptions> = {},
  waiter: Waiter,
): AsyncGenerator<ReactionEvent, void, undefined> {
  const { filter } = options;
  const since = isSentMessage(message) ? (readTo.get(message) ?? 0) : undefined;
  const listen = createListener('reactions()', ['MESSAGE_REACTION_ADD'], options, waiter, since);
  // While the id of the message is unknown, all reactions are kept.
  let messageId = idOf(message);
  const { next, close } = listen(
    ({ data }, mark) =>
      messageId === undefined || data.messageId === messageId ? { data, mark } : undefined,
    () => messageId,
  );

  async function* read(): AsyncGenerator<ReactionEvent, void, undefined> {
    try {
      if (isSentMessage(message)) messageId = (await message.message()).id;
      for (let item = await next(); item; item = await next()) {
        const { data, mark } = item;
        if (data.messageId !== messageId) continue;
        if (isSentMessage(message)) readTo.set(message, mark);
        if (!filter || filter(data)) yield data;
      }
    } finally {
      close();
    }
  }
  return read();
}

const idOf = (message: MessageReference): string | undefined =>
  typeof message === 'string' ? message : message.id;
