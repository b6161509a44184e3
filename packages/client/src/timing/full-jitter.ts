export interface FullJitterOptions {
  readonly random: () => number;
  /** The longest first wait, in milliseconds; it doubles with each failure. */
  readonly baseMs: number;
  /** No wait is longer than this, in milliseconds. */
  readonly capMs: number;
}

/**
 * How long to wait after so many failures in a row, in milliseconds: anywhere between 0 and the
 * doubled base, so that many clients that failed together do not come back together.
 */
export function fullJitter(
  failuresBefore: number,
  { random, baseMs, capMs }: FullJitterOptions,
): number {
  return random() * Math.min(capMs, baseMs * 2 ** failuresBefore);
}
