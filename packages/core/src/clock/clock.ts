/** A timer that was started and can be taken back. */
export interface Timer {
  /** Stops the timer. Calling it twice, or after the timer fired, does nothing. */
  cancel(): void;
}

export interface SleepOptions {
  /** Ends the sleep at once; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Time as an argument. Everything that waits or measures takes a `Clock`, so that a test can push
 * time forward instead of waiting for it.
 */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch. It can jump; use it for display only. */
  now(): number;
  /**
   * Milliseconds that never go backwards, for measuring and for deadlines. Readings of two
   * processes on one machine can be compared with each other.
   */
  monotonic(): number;
  /**
   * Runs `callback` once after `delayMs` milliseconds. A negative or absent delay counts as 0, one
   * above 2^31 - 1 as 2^31 - 1 (a longer one would fire at once on Node.js). The timer does not
   * keep the process alive.
   */
  setTimeout(callback: () => void, delayMs: number): Timer;
  /** Resolves after `delayMs` milliseconds (same bounds as `setTimeout`) and keeps the process alive meanwhile. */
  sleep(delayMs: number, options?: SleepOptions): Promise<void>;
}

/** The longest delay Node.js timers take; anything above it fires at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export function clampDelay(delayMs: number): number {
  return Math.min(Math.max(delayMs, 0) || 0, LONGEST_DELAY_MS);
}
