/** What a server says without saying a time, in milliseconds. */
const ABSENT_MS = 5_000;

/** No shorter wait is believed: "0" would become a hot loop. In milliseconds. */
const FLOOR_MS = 1_000;

/**
 * How long a server wants to be left alone, in milliseconds: the larger of the `Retry-After` header
 * and the body's `retryAfterSeconds`. Both are whole seconds (Bot Interface, "Limits"); anything
 * else counts as absent.
 */
export function retryAfterMs(header: unknown, bodySeconds: unknown): number {
  const seconds = [wholeSeconds(header), wholeSeconds(bodySeconds)].filter(
    (value) => value !== undefined,
  );
  return seconds.length === 0 ? ABSENT_MS : Math.max(FLOOR_MS, Math.max(...seconds) * 1_000);
}

/** Whether one of the two says a time at all. */
export function isWaitStated(header: unknown, bodySeconds: unknown): boolean {
  return wholeSeconds(header) !== undefined || wholeSeconds(bodySeconds) !== undefined;
}

/** The header's own time in milliseconds, or 0 when it says none. */
export function statedRetryAfterMs(header: unknown): number {
  return (wholeSeconds(header) ?? 0) * 1_000;
}

function wholeSeconds(value: unknown): number | undefined {
  if (Array.isArray(value)) return wholeSeconds(value[0]);
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined;
  return typeof value === 'string' && /^\s*\d{1,10}\s*$/.test(value) ? Number(value) : undefined;
}
