/** A timer that was started and can be canceled. */
export interface Timer {
  /** Stops the timer. A second call, or a call after the timer fired, does nothing. */
  cancel(): void;
}

/** Options of `Clock.setTimeout` and `sleep`. */
export interface TimerOptions {
  /** Marks a timer that rarely finds work, such as a heartbeat: a fake clock may skip it. @defaultValue false */
  readonly isRoutine?: boolean;
}

/** Options of `sleep`. */
export interface SleepOptions extends TimerOptions {
  /** Ends the sleep; the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Source of time: an argument of everything that waits or measures, so that a test can advance time. */
export interface Clock {
  /** Returns the wall-clock time in milliseconds since the epoch, for display only: the wall clock can jump. */
  now(): number;
  /** Returns a time in milliseconds that never goes backwards, and is comparable between processes of one machine. */
  monotonic(): number;
  /**
   * Calls `callback` once after `delayMs` milliseconds, from 0 (also for `NaN`) to 2^31 - 1, which Node.js cannot exceed.
   * The timer does not keep the process alive.
   */
  setTimeout(callback: () => void, delayMs: number, options?: TimerOptions): Timer;
  /** Resolves after `delayMs` milliseconds (same bounds as `setTimeout`); keeps the process alive until then. */
  sleep(delayMs: number, options?: SleepOptions): Promise<void>;
}

/** The longest delay that Node.js timers support; a longer one fires at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Returns the delay within the bounds of `Clock.setTimeout`. */
export const clampDelay = (delayMs: number): number =>
  Math.min(Math.max(delayMs, 0) || 0, MAX_DELAY_MS);
