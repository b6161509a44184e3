// Repeats failed calls of an interaction until its window ends or the bot drains.
import { LIMIT_JITTER_MS, retryPauseMs, type Clock } from '@virgule/core/clock';
import { isApiRefused, isBadResponse } from '@virgule/client/rest';
import { isVirguleError, type VirguleError } from '@virgule/core/errors';

export interface PursuitOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** End of the window: a reading of `Clock.monotonic()`. */
  readonly untilMs: number;
  /** Ends the wait, such as when the bot drains. */
  readonly signal: AbortSignal;
  /** Called before each wait. */
  readonly onWait?: ((error: VirguleError, waitMs: number) => void) | undefined;
}

/** Repeats a call until it succeeds. */
export type Pursue = <T>(call: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Growing pauses in milliseconds while the platform itself answers 5xx, which opens no circuit breaker. */
const FAILING = { firstMs: 750, factor: 3 };

/** Maximum `Retry-After` that is obeyed after a 5xx, in milliseconds: the platform only estimates the time. */
const ASKED_MAX_MS = 60_000;

/** Shortest wait for a rate limit, in milliseconds. */
const LIMIT_MIN_MS = 250;

/**
 * Repeats a call of an interaction until it succeeds: after a rate limit when the limit is over, after a failure that another
 * call can fix with a capped backoff. `call` decides at each attempt what to send; `options` is called after a failure.
 *
 * @throws the last error of `call`, if another call cannot help, the window ends first, or `signal` is aborted.
 */
export async function pursue<T>(call: () => Promise<T>, options: () => PursuitOptions): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await call();
    } catch (error) {
      // The options are read only after a failure: most calls succeed at once.
      await waitToRetry(error, failures, options);
    }
  }
}

/** Waits until a failed call can be repeated; throws its error if it must not be repeated. */
export async function waitToRetry(
  error: unknown,
  failures: number,
  options: () => PursuitOptions,
): Promise<void> {
  if (!isPassing(error)) throw error;
  const { clock, random, untilMs, signal, onWait } = options();
  const waitMs = waitAfter(error, failures, untilMs - clock.monotonic(), random);
  if (waitMs === undefined || signal.aborted) throw error;
  onWait?.(error, waitMs);
  await clock.sleep(waitMs, { signal }).catch(() => {
    throw error;
  });
}

const PASSING: ReadonlySet<string> = new Set([
  'E_RATE_LIMITED',
  'E_UNREACHABLE',
  'E_TIMEOUT',
  'E_OVERLOADED',
]);

/** Returns whether another call is safe and may succeed: this one was provably not processed, or a repetition changes nothing. */
export function isPassing(error: unknown): error is VirguleError {
  if (!isVirguleError(error)) return false;
  const { status, repeatIsHarmless } = error.details;
  if (error.code === 'E_OUTCOME_UNKNOWN') return repeatIsHarmless === true;
  // For a call that must not be repeated, the client throws E_OUTCOME_UNKNOWN instead.
  if (error.code === 'E_API_REFUSED') return typeof status === 'number' && status >= 500;
  return PASSING.has(error.code);
}

/**
 * Returns whether a call may have failed because the platform is unreachable: the failure is temporary, or something else may
 * have answered, such as a portal with 403 or a proxy with 404. The platform's own refusals have a code.
 */
export const mayBeAway = (error: unknown): boolean =>
  isPassing(error) || isBadResponse(error) || (isApiRefused(error) && !error.details.apiCode);

/** Returns the wait before another attempt in milliseconds; `undefined` if there is no time for another attempt. */
function waitAfter(error: VirguleError, failures: number, leftMs: number, random: () => number) {
  const { retryAfterMs } = error.details;
  if (error.code === 'E_RATE_LIMITED' && typeof retryAfterMs === 'number') {
    const statedMs = Math.max(retryAfterMs, LIMIT_MIN_MS) + random() * LIMIT_JITTER_MS;
    return statedMs > leftMs ? undefined : statedMs;
  }
  // Never at once: an interaction is pursued for up to a quarter of an hour.
  const share = 0.5 + random() / 2;
  const pauseMs = retryPauseMs(failures + 1, leftMs, share);
  if (pauseMs === undefined) return undefined;
  const askedMs = typeof retryAfterMs === 'number' ? retryAfterMs : 0;
  const failingMs = error.details['apiCode']
    ? share * FAILING.firstMs * FAILING.factor ** failures
    : 0;
  const slowMs = Math.min(Math.max(askedMs, failingMs), ASKED_MAX_MS);
  return Math.min(Math.max(pauseMs, slowMs), leftMs / 2);
}
