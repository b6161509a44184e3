import { isVirguleError } from '@virgule/core/errors';
import type { EditInput, SentMessage } from '../answer/answer.js';
import type { Duration } from '../../text/duration.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { createListener, isEmoji, type Waiter, type Who } from './listener.js';

/** Options of `paginate`. */
export interface PaginateOptions {
  /**
   * Who can turn the pages. An explicit `undefined` is no one.
   *
   * @defaultValue `'anyone'`, which is anyone but this bot
   */
  readonly by?: Who;
  /**
   * How long the pages can be turned after the last turn.
   *
   * @defaultValue `'1m'`
   */
  readonly within?: Duration | undefined;
}

const BACK = '◀️';
const FORWARD = '▶️';

/**
 * Writes the first page with ◀️ and ▶️ under it, and shows the other pages in its place as these are
 * pressed. Adding and removing a reaction both count, so that one press turns one page. Resolves to the
 * message when no one has turned a page for a while, and when the bot shuts down.
 */
export async function paginate(
  pages: readonly EditInput[],
  options: PaginateOptions,
  waiter: Waiter,
): Promise<SentMessage> {
  const { within = '1m' } = options;
  const { env, owner, signal } = waiter;
  const events = ['MESSAGE_REACTION_ADD', 'MESSAGE_REACTION_REMOVE'] as const;
  const listen = createListener('paginate()', events, { ...options, within }, waiter);
  const [first] = pages;
  if (first === undefined)
    throw runtimeErrors.E_ANSWER_INVALID({ kind: 'length', owner, length: 0 });
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
    await sent.react(BACK);
    await sent.react(FORWARD);
    let shown = 0;
    while (await next()) {
      const page = pages[index];
      // Presses that came while a page was shown are one turn.
      if (index === shown || page === undefined) continue;
      shown = index;
      await sent.edit(page);
      await env.clock.sleep(env.profile.editIntervalMs, { signal });
    }
    return sent;
  } catch (error) {
    // At a shutdown, the page is complete as it is.
    if (!isVirguleError(error, 'E_WAIT_CLOSED')) throw error;
    return sent;
  } finally {
    close();
    for (const emoji of [BACK, FORWARD]) sent.unreact(emoji).catch(() => {});
  }
}
