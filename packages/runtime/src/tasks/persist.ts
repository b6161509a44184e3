import { errorText } from '@virgule/core/errors';
import type { BotEnvironment } from '../command/environment.js';

const RETRY_MS = 1_000;

/** Repeats a write until it succeeds, or the bot ends. `what` names the written facts in the log. */
export async function persist(
  { clock, log, ending }: Pick<BotEnvironment, 'clock' | 'log' | 'ending'>,
  what: string,
  write: () => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return void (await write());
    } catch (error) {
      if (ending.aborted) return;
      if (attempt === 1) log.error({ err: error }, `${what} cannot be stored: ${errorText(error)}`);
      await clock.sleep(RETRY_MS, { signal: ending }).catch(() => {});
    }
  }
}
