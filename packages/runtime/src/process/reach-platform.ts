import type { CallOptions } from '@virgule/client/rest';
import type { BotEnvironment } from '../command/environment.js';
import { mayBeAway } from '../command/answer/pursue.js';

/** Pause after the first attempt, doubled after each attempt up to the maximum, in milliseconds. */
const PAUSE_MS = { first: 1_000, max: 30_000 };

/**
 * Makes the first call to the platform, and returns its result. Repeats the call while the platform cannot be reached: a
 * bot is often started before the network, and its supervisor may try only a few times.
 *
 * @param signal - ends the attempts; the promise then rejects with the reason of the signal.
 * @throws VirguleError `E_UNAUTHORIZED` if the token is refused, and any other error that a retry cannot fix.
 */
export async function reachPlatform<Me>(
  rest: { readonly users: { me(options: CallOptions): Promise<Me> } },
  signal: AbortSignal,
  { clock, random, log }: Pick<BotEnvironment, 'clock' | 'random' | 'log'>,
): Promise<Me> {
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS.max)) {
    try {
      return await rest.users.me({ signal });
    } catch (error) {
      if (signal.aborted || !mayBeAway(error)) throw error;
      // Bots that were started together must not retry together.
      const delayMs = pauseMs * (0.5 + random() / 2);
      const seconds = Math.ceil(delayMs / 1_000);
      log.warn({ err: error }, `the platform cannot be reached, trying again in ${seconds} s`);
      await clock.sleep(delayMs, { signal });
    }
  }
}
