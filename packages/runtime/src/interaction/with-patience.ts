import type { Clock } from '@virgule/core/clock';
import { isVirguleError } from '@virgule/core/errors';

export interface PatienceOptions {
  readonly clock: Clock;
  /** The shortest time between two tries, in milliseconds. */
  readonly intervalMs: number;
  /** Ends the waiting; rejects with its reason. */
  readonly signal: AbortSignal;
}

/**
 * Makes a call again and again as long as the platform asks for more time than the client waits by
 * itself. `call` is asked anew each time, so it can send what is newest by then.
 */
export async function withPatience<T>(
  call: () => Promise<T>,
  { clock, intervalMs, signal }: PatienceOptions,
): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isVirguleError(error, 'E_RATE_LIMITED')) throw error;
      const { retryAfterMs } = error.details;
      const waitMs = typeof retryAfterMs === 'number' ? retryAfterMs : 0;
      await clock.sleep(Math.max(waitMs, intervalMs), { signal });
    }
  }
}
