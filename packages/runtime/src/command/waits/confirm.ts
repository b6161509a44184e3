import type { MessageInput } from '../answer/answer.js';
import type { Duration } from '../../text/duration.js';
import { createListener, isEmoji, type Waiter, type Who } from './listener.js';

/** Options of `confirm`. */
export interface ConfirmOptions {
  /**
   * Whose reaction counts. An explicit `undefined` is no one.
   *
   * @defaultValue `'anyone'`, which is anyone but this bot: the platform does not say who ran the command
   */
  readonly by?: Who;
  /**
   * How long it waits; then the answer is no.
   *
   * @defaultValue `'30s'`
   */
  readonly within?: Duration | undefined;
}

const YES = '✅';
const NO = '❌';

/**
 * Writes a question with ✅ and ❌ under it, and waits until a user presses one. The bot removes its own two
 * afterwards.
 */
export async function confirm(
  question: MessageInput,
  options: ConfirmOptions,
  waiter: Waiter,
): Promise<boolean> {
  const events = ['MESSAGE_REACTION_ADD'] as const;
  const { within = '30s' } = options;
  const listen = createListener('confirm()', events, { ...options, within }, waiter);
  const sent = await waiter.reply(question);
  const { id } = await sent.message();
  try {
    await sent.react(YES);
    await sent.react(NO);
    // Its time begins when both can be pressed.
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
  } finally {
    // Not awaited: a failure has no consequence.
    for (const emoji of [YES, NO]) sent.unreact(emoji).catch(() => {});
  }
}
