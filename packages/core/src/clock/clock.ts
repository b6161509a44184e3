/** A timer that was started and can be canceled. */
export interface Timer {
  /** Stops the timer. A second call, or a call after the timer fired, does nothing. */
  cancel(): void;
}

/** Options of `Clock.setTimeout`. */
export interface TimerOptions {
  /**
   * Marks a timer that repeats while the program runs and rarely finds work, such as a heartbeat. A clock that is
   * advanced by a year may skip most of these timers.
   *
   * @defaultValue false
   */
  readonly isRoutine?: boolean;
}

/** Options of `sleep`. */
export interface SleepOptions {
  /** Ends the sleep; the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Source of time. Everything that waits or measures takes a `Clock` as an argument, so that a test can
 * advance time instead of waiting.
 */
export interface Clock {
  /** Returns the wall-clock time in milliseconds since the epoch, for display only: the wall clock can jump. */
  now(): number;
  /**
   * Returns a time in milliseconds that never goes backwards, for durations and deadlines. Readings of
   * two processes on one machine are comparable.
   */
  monotonic(): number;
  /**
   * Calls `callback` once after `delayMs` milliseconds. A negative delay or `NaN` counts as 0, a delay
   * above 2^31 - 1 as 2^31 - 1 (Node.js would fire a longer one at once). The timer does not keep the
   * process alive.
   */
  setTimeout(callback: () => void, delayMs: number, options?: TimerOptions): Timer;
  /** Resolves after `delayMs` milliseconds (same bounds as `setTimeout`); keeps the process alive until then. */
  sleep(delayMs: number, options?: SleepOptions): Promise<void>;
}

/** The longest delay that Node.js timers support; a longer one fires at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Returns the delay within the bounds of `Clock.setTimeout`. */
export function clampDelay(delayMs: number): number {
  return Math.min(Math.max(delayMs, 0) || 0, MAX_DELAY_MS);
}
