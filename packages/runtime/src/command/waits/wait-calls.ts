import { isVirguleError } from '@virgule/core/errors';
import type { Message, MessageEvent, ReactionEvent } from '@virgule/core/protocol';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import type { Duration } from '../../text/duration.js';
import type { EditInput, MessageInput, SentMessage } from '../answer/answer.js';
import { isSentMessage } from '../answer/sent-message.js';
import { createListener, isEmoji, NO, YES, type Waiter, type Who } from './listener.js';

/** Options of `confirm`. */
export interface ConfirmOptions {
  /**
   * Users whose reaction counts. An explicit `undefined` means no user.
   *
   * @defaultValue `'anyone'`, which excludes this bot: the platform does not report who ran the command
   */
  readonly by?: Who;
  /** Maximum time to wait for a reaction. When it has passed, the result is `false`. @defaultValue `'30s'` */
  readonly within?: Duration | undefined;
}

/**
 * Writes a question with ✅ and ❌ under the text, and waits until a user presses one of them. The bot removes its own two
 * reactions afterwards.
 */
export async function confirm(
  question: MessageInput,
  options: ConfirmOptions = {},
  waiter: Waiter,
): Promise<boolean> {
  const events = ['MESSAGE_REACTION_ADD'] as const;
  const { within = '30s' } = options;
  const listen = createListener('confirm()', events, { ...options, within }, waiter);
  const sent = await waiter.reply(question);
  const { id } = await sent.message();
  return withButtons(sent, [YES, NO], async () => {
    // The time to answer begins when both buttons are shown.
    const { next, close } = listen(
      ({ data: { messageId, emoji } }) => {
        const isYes = isEmoji(emoji, YES);
        if (messageId !== id || !(isYes || isEmoji(emoji, NO))) return undefined;
        close();
        return { isYes };
      },
      () => id,
    );
    return (await next())?.isYes ?? false;
  });
}

async function withButtons<T>(sent: SentMessage, emojis: readonly string[], use: () => Promise<T>) {
  try {
    for (const emoji of emojis) await sent.react(emoji);
    return await use();
  } finally {
    // Not awaited: a failure has no consequence.
    for (const emoji of emojis) sent.unreact(emoji).catch(() => {});
  }
}

/** Options of `paginate`. */
export interface PaginateOptions {
  /** Users who can turn the pages. An explicit `undefined` means no user. @defaultValue `'anyone'`, which excludes this bot */
  readonly by?: Who;
  /** Time after the last turn in which the pages can be turned. @defaultValue `'1m'` */
  readonly within?: Duration | undefined;
}

const BACK = '◀️';
const FORWARD = '▶️';

/**
 * Writes the first page with ◀️ and ▶️ under the text, and replaces the page when a user presses one of them. Adding and
 * removing a reaction both count, so that one press turns one page. Resolves to the message when no user has turned a page for
 * the time `within`, and when the bot shuts down.
 */
export async function paginate(
  pages: readonly EditInput[],
  options: PaginateOptions = {},
  waiter: Waiter,
): Promise<SentMessage> {
  const { within = '1m' } = options;
  const { env, owner, signal } = waiter;
  const events = ['MESSAGE_REACTION_ADD', 'MESSAGE_REACTION_REMOVE'] as const;
  const listen = createListener('paginate()', events, { ...options, within }, waiter);
  const [first] = pages;
  if (first === undefined) throw runtimeErrors.E_ANSWER_INVALID({ kind: 'no-pages', owner });
  const sent = await waiter.reply(first);
  if (pages.length === 1) return sent;
  const { id } = await sent.message();

  let index = 0;
  const { next, extend, close } = listen(
    ({ data }) => {
      const step = isEmoji(data.emoji, FORWARD) ? 1 : isEmoji(data.emoji, BACK) ? -1 : 0;
      if (step === 0 || data.messageId !== id) return undefined;
      index = Math.min(Math.max(index + step, 0), pages.length - 1);
      extend();
      return data;
    },
    () => id,
  );
  try {
    await withButtons(sent, [BACK, FORWARD], async () => {
      let shown = 0;
      while (await next()) {
        const page = pages[index];
        // All presses during the edit of a page count as one turn.
        if (index === shown || page === undefined) continue;
        shown = index;
        await sent.edit(page);
        await env.clock.sleep(env.profile.editIntervalMs, { signal });
      }
    });
  } catch (error) {
    // At a shutdown, the page is complete as it is.
    if (!isVirguleError(error, 'E_WAIT_CLOSED')) throw error;
  } finally {
    close();
  }
  return sent;
}

/** Options of `reactions`. */
export interface ReactionsOptions {
  /** Users whose reactions count. An explicit `undefined` means no user. @defaultValue `'anyone'`, which excludes this bot */
  readonly by?: Who;
  /** Time to listen, from the call on. */
  readonly within: Duration;
  /**
   * Returns whether a reaction counts, such as a reaction with ✅. Other reactions are ignored.
   *
   * @defaultValue all reactions count
   */
  readonly filter?: ((reaction: ReactionEvent) => boolean) | undefined;
}

/** A message in the channel of the command: a message of the bot, a message that was read, or a message id. */
export type MessageReference = SentMessage | Pick<Message, 'id'> | string;

/** Mark of the last reaction that was read, by message of the bot. See `Waits.mark`. */
const readTo = new WeakMap<SentMessage, number>();

/**
 * Yields the reactions that are added to a message. The loop ends when the time is over. Listens from this call on, not from
 * the first step; leaving the loop stops listening. For the handle of a message of the bot, yields all reactions since the
 * message appeared, or since the end of the last loop.
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
  let messageId = typeof message === 'string' ? message : message.id;
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

/** Options of `waitForMessage`. */
export interface WaitForMessageOptions {
  /**
   * Users whose message counts. An explicit `undefined` means no user.
   *
   * @defaultValue `'anyone'`, which excludes this bot: the platform does not report who ran the command
   */
  readonly from?: Who;
  /** Maximum time to wait. */
  readonly within: Duration;
  /**
   * Returns whether a message counts, such as a message with a number. Other messages are ignored.
   *
   * @defaultValue all messages count
   */
  readonly filter?: ((message: MessageEvent) => boolean) | undefined;
  /** Id of another channel to wait in. @defaultValue the channel of the command */
  readonly channelId?: string | undefined;
}

/** Waits for the next message in the channel of the command; resolves to `null` if none arrives in time. */
export async function waitForMessage(options: Partial<WaitForMessageOptions> = {}, waiter: Waiter) {
  const { filter = () => true } = options;
  const listen = createListener('waitForMessage()', ['MESSAGE_CREATE'], options, waiter);
  const { next, close } = listen(({ data }) => {
    if (!filter(data)) return undefined;
    close();
    return data;
  });
  return next();
}
