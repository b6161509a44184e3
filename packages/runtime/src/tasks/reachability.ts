import { isOutcomeUnknown, isOverloaded, isRateLimited, isTimeout } from '@virgule/client/rest';
import { causesOf, isVirguleError } from '@virgule/core/errors';
import { mayBeAway } from '../command/answer/pursue.js';
import type { BotEnvironment } from '../command/environment.js';

/** Pause between two runs while the platform seems unreachable, doubled after each run up to the maximum, in milliseconds. */
const PAUSE_MS = { first: 5_000, max: 300_000 };
/** Deadline of the call that probes the platform, in milliseconds. */
const PROBE_MS = 5_000;

/**
 * Tracks whether the platform as a whole is unreachable, when all runs would fail. If only some calls fail, such as the
 * calls for one channel, a run fails as after any other error.
 */
export class Reachability {
  readonly #env: Pick<BotEnvironment, 'rest' | 'clock'>;
  /** Pause after the next run while the platform seems unreachable, in milliseconds; 0 while it seems reachable. */
  #pauseMs = 0;
  /** Earliest start of the next run: a reading of `Clock.monotonic()`. */
  #nextAtMs = 0;
  #probe: Promise<boolean> | undefined;

  constructor(env: Pick<BotEnvironment, 'rest' | 'clock'>) {
    this.#env = env;
  }

  /** Returns whether a run may begin. While the platform seems unreachable, single runs may begin with pauses, to test the platform. */
  allows(): boolean {
    // The circuit of a route is open after many failures in a row, until a call is answered.
    const isBlocked = this.#env.rest.limits().origins.some(({ isCircuitOpen }) => isCircuitOpen);
    if (this.#pauseMs === 0 && !isBlocked) return true;
    const nowMs = this.#env.clock.monotonic();
    if (nowMs < this.#nextAtMs) return false;
    this.#pauseMs = Math.min(2 * this.#pauseMs || PAUSE_MS.first, PAUSE_MS.max);
    this.#nextAtMs = nowMs + this.#pauseMs;
    return true;
  }

  succeeded(): void {
    this.#pauseMs = 0;
    this.#nextAtMs = 0;
  }

  /** Resolves to whether a run failed because the platform was unreachable. */
  async explains(error: unknown): Promise<boolean> {
    if (!causesOf(error).some(isDoubtful)) return false;
    this.#probe ??= this.#env.rest.users
      .me({ deadlineMs: PROBE_MS })
      .then(
        () => true,
        // A platform that refuses or limits the call is reachable.
        (failure: unknown) => isRateLimited(failure) || !mayBeAway(failure),
      )
      .finally(() => (this.#probe = undefined));
    const isAway = !(await this.#probe);
    if (isAway) this.#pauseMs ||= PAUSE_MS.first;
    return isAway;
  }
}

/** Returns whether a run may have failed because the platform is unreachable. */
export const isDoubtful = (error: unknown): boolean =>
  mayBeAway(error) || isOutcomeUnknown(error) || isVirguleError(error, 'E_TASK_TIMEOUT');

/**
 * Returns the time that a run has to wait because a call was not sent, in milliseconds: the rest of a rate limit, or 0 if
 * the queue of the client was full. `undefined` if the run failed for another reason.
 */
export function limitMsOf(error: unknown): number | undefined {
  for (const each of causesOf(error)) {
    if (isRateLimited(each)) return each.details.retryAfterMs;
    const isUnsent = isTimeout(each) && each.details.phase === 'waiting' && !each.details.maybeSent;
    if (isUnsent || isOverloaded(each)) return 0;
  }
  return undefined;
}
