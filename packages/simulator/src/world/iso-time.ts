/** How many timestamps are remembered. */
const KNOWN_MAX = 1_000;

const known = new Map<number, string>();

/**
 * Milliseconds since the epoch as an ISO 8601 timestamp. The same few are written again and again: each
 * event about an interaction repeats when it was made, and many things happen in one millisecond.
 */
export function isoTime(ms: number): string {
  const before = known.get(ms);
  if (before !== undefined) return before;
  if (known.size === KNOWN_MAX) known.clear();
  const text = new Date(ms).toISOString();
  known.set(ms, text);
  return text;
}
