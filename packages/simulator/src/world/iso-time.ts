/** Maximum number of cached timestamps. */
const MAX_KNOWN = 1_000;

const known = new Map<number, string>();

/**
 * Returns milliseconds since the epoch as an ISO 8601 timestamp. Timestamps are cached, because a few
 * are repeated often: each event of an interaction contains its creation time, and many changes happen in
 * the same millisecond.
 */
export function isoTime(ms: number): string {
  const before = known.get(ms);
  if (before !== undefined) return before;
  if (known.size === MAX_KNOWN) known.clear();
  const text = new Date(ms).toISOString();
  known.set(ms, text);
  return text;
}
