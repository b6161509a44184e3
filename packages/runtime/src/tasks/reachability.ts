import { isOutcomeUnknown, isOverloaded, isRateLimited, isTimeout } from '@virgule/client/rest';
import { isVirguleError } from '@virgule/core/errors';
import { mayBeAway } from '../command/answer/pursue.js';
import type { BotEnvironment } from '../command/environment.js';

/** While the platform seems to be away, a run begins this long after another one, doubled each time; in milliseconds. */
const PAUSE_MS = { first: 5_000, max: 300_000 };
/** How long the platform may take to show that it is there, in milliseconds. */
const PROBE_MS = 5_000;

/**
 * Knows whether the platform as a whole is away: the runs of that time would only fail. Where only some calls fail, such
 * as those of one channel, a run fails as by any other error.
 */
export class Reachability {
  readonly #env: Pick<BotEnvironment, 'rest' | 'clock'>;
  /** Whether the platform was away when a run failed, and no run has succeeded since. */
  #isInDoubt = false;
  /** How many runs have begun since it seems to be away. */
  #begun = 0;
  /** When the next one may, by `Clock.monotonic()`. */
  #nextAtMs = 0;
  #probe: Promise<boolean> | undefined;

  constructor(env: Pick<BotEnvironment, 'rest' | 'clock'>) {
    this.#env = env;
  }

  /** Returns whether a run may begin. While the platform seems to be away, one does from time to time: it shows whether it is. */
  allows(): boolean {
    if (!this.#isInDoubt && !this.#isCircuitOpen) {
      this.succeeded();
      return true;
    }
    const nowMs = this.#env.clock.monotonic();
    if (nowMs < this.#nextAtMs) return false;
    this.#nextAtMs = nowMs + Math.min(PAUSE_MS.first * 2 ** this.#begun, PAUSE_MS.max);
    this.#begun += 1;
    return true;
  }

  /** Notes that a run has succeeded. */
  succeeded(): void {
    this.#isInDoubt = false;
    this.#begun = 0;
    this.#nextAtMs = 0;
  }

  /** Resolves to whether a run failed because the platform was away. */
  async explains(error: unknown): Promise<boolean> {
    if (!causesOf(error).some(isDoubtful)) return false;
    this.#probe ??= this.#isReached().finally(() => (this.#probe = undefined));
    const isAway = !(await this.#probe);
    if (isAway) this.#isInDoubt = true;
    return isAway;
  }

  /** Whether many calls failed in a row, and not only those of one route. Any call that is answered ends that. */
  get #isCircuitOpen(): boolean {
    return this.#env.rest.limits().origins.some(({ isCircuitOpen }) => isCircuitOpen);
  }

  #isReached(): Promise<boolean> {
    return this.#env.rest.users.me({ deadlineMs: PROBE_MS }).then(
      () => true,
      // One that refuses the call, or limits it, is there.
      (error: unknown) => isRateLimited(error) || !mayBeAway(error),
    );
  }
}

/** Returns an error with its causes: handlers wrap what they catch. */
function causesOf(error: unknown): readonly unknown[] {
  const errors = new Set<unknown>();
  for (let each = error; each instanceof Error && !errors.has(each); each = each.cause)
    errors.add(each);
  return [...errors];
}

/** Returns whether a run may have failed because the platform is away. */
const isDoubtful = (error: unknown): boolean =>
  mayBeAway(error) || isOutcomeUnknown(error) || isVirguleError(error, 'E_TASK_TIMEOUT');

/**
 * Returns how long a run has to wait whose call was not allowed, in milliseconds: for a rate limit, or 0 if only the
 * client's queue had no room for it. `undefined` if it failed otherwise.
 */
export function limitMsOf(error: unknown): number | undefined {
  for (const each of causesOf(error)) {
    if (isRateLimited(each)) return each.details.retryAfterMs;
    const isUnsent = isTimeout(each) && each.details.phase === 'waiting' && !each.details.maybeSent;
    if (isUnsent || isOverloaded(each)) return 0;
  }
  return undefined;
}
