import type { ResolvedGatewayOptions } from './gateway-options.js';
import type { SessionEnding } from './session-ending.js';

/** How long `checkToken` may take before its answer counts as unknown, in milliseconds. */
const CHECK_TOKEN_MS = 30_000;

/** Whether the bot may not come back after an ending that leaves a doubt: asks `checkToken`. Never rejects. */
export async function isTokenRefused(
  { refusesToken }: SessionEnding,
  { checkToken, clock, log }: ResolvedGatewayOptions,
  stop: AbortSignal,
): Promise<boolean> {
  if (!checkToken) return refusesToken === 'likely';
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, stop]);
  const tooLate = clock.sleep(CHECK_TOKEN_MS, { signal }).catch(() => {});
  try {
    return (await Promise.race([checkToken(), tooLate])) === 'refused';
  } catch (error) {
    log.warn({ error }, 'the bot token could not be checked');
    return false;
  } finally {
    done.abort();
  }
}
