import {
  isApiRefused,
  isOutcomeUnknown,
  isTimeout,
  isUnreachable,
  type Rest,
} from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import { isVirguleError } from '@virgule/core/errors';

/** The pause after a probe that failed, doubled after each further one up to the maximum; in milliseconds. */
const PROBE_PAUSE_MS = { first: 5_000, max: 300_000 };
/** How long a probe may take, in milliseconds. */
const PROBE_MS = 5_000;
/** Statuses of a proxy whose platform is away. */
const AWAY: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/** Knows whether the platform can be reached: a run that begins while it cannot be would only fail. */
export class Reachability {
  readonly #rest: Rest;
  readonly #clock: Clock;
  /** Something failed since the platform answered last. */
  #isInDoubt = false;
  #failures = 0;
  /** By `Clock.monotonic()`. */
  #probeAtMs = 0;
  #probe: Promise<boolean> | undefined;

  constructor({ rest, clock }: { readonly rest: Rest; readonly clock: Clock }) {
    this.#rest = rest;
    this.#clock = clock;
  }

  /** Resolves to whether a run may begin. Asks the platform only while that is in doubt, at most every 5 s to 5 min. */
  async allows(): Promise<boolean> {
    this.#isInDoubt ||= this.#rest.limits().origins.some(({ isCircuitOpen }) => isCircuitOpen);
    if (!this.#isInDoubt) return true;
    return this.#clock.monotonic() >= this.#probeAtMs && this.#isReached();
  }

  /** Resolves to whether a run failed because the platform could not be reached. */
  async explains(error: unknown): Promise<boolean> {
    const errors = causesOf(error);
    const isUndone = errors.some(isAway);
    if (!isUndone && !errors.some(isUnclear)) return false;
    this.#isInDoubt = true;
    return isUndone || !(await this.#isReached());
  }

  #isReached(): Promise<boolean> {
    return (this.#probe ??= this.#ask().finally(() => (this.#probe = undefined)));
  }

  async #ask(): Promise<boolean> {
    try {
      await this.#rest.users.me({ deadlineMs: PROBE_MS });
    } catch (error) {
      if (isAway(error)) {
        const { first, max } = PROBE_PAUSE_MS;
        this.#probeAtMs = this.#clock.monotonic() + Math.min(first * 2 ** this.#failures, max);
        this.#failures += 1;
        return false;
      }
      // It was reached, and refused the call.
    }
    this.#isInDoubt = false;
    this.#failures = 0;
    return true;
  }
}

/** Returns an error with its causes: handlers wrap what they catch. */
function causesOf(error: unknown): readonly unknown[] {
  const errors = new Set<unknown>();
  for (let each = error; each instanceof Error && !errors.has(each); each = each.cause)
    errors.add(each);
  return [...errors];
}

/** Returns whether a call provably changed nothing because the platform is away. */
const isAway = (error: unknown): boolean =>
  isUnreachable(error) ||
  isTimeout(error) ||
  (isApiRefused(error) && AWAY.has(error.details.status)) ||
  // Searched for in the channel, and not found.
  (isOutcomeUnknown(error) &&
    error.details.reconciled === 'missing' &&
    AWAY.has(error.details.status));

/** Returns whether a call may have failed because the platform is away. */
const isUnclear = (error: unknown): boolean =>
  isOutcomeUnknown(error) || isVirguleError(error, 'E_TASK_TIMEOUT');
