/** What a server says without saying a time, in milliseconds. */
const ABSENT_MS = 5_000;

/** No shorter wait is believed: "0" would become a hot loop. In milliseconds. */
const FLOOR_MS = 1_000;

/**
 * Returns how long a server wants to be left alone, in milliseconds: the larger of the `Retry-After` header
 * and the body's `retryAfterSeconds`. Both are stated as whole seconds (Bot Interface, "Limits"); parts of
 * a second are read too, and in the header a date, which counts from `date`, the header of the same
 * answer. Anything else counts as absent.
 */
export function retryAfterMs(header: unknown, bodySeconds: unknown, date?: unknown): number {
  const waitsMs = statedWaits(header, bodySeconds, date);
  return waitsMs.length === 0 ? ABSENT_MS : Math.max(FLOOR_MS, ...waitsMs);
}

/** Returns whether one of the two says a time at all. */
export function isWaitStated(header: unknown, bodySeconds: unknown, date?: unknown): boolean {
  return statedWaits(header, bodySeconds, date).length > 0;
}

/** Returns the header's own time in milliseconds, or 0 when it says none. */
export function statedRetryAfterMs(header: unknown, date?: unknown): number {
  return Math.max(0, ...statedWaits(header, undefined, date));
}

function statedWaits(header: unknown, bodySeconds: unknown, date: unknown): readonly number[] {
  return [secondsMs(header) ?? untilMs(header, date), secondsMs(bodySeconds)].filter(
    (value) => value !== undefined,
  );
}

function secondsMs(value: unknown): number | undefined {
  if (Array.isArray(value)) return secondsMs(value[0]);
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\s*\d{1,10}(\.\d{1,9})?\s*$/.test(text)) return undefined;
  return Math.ceil(Number(text) * 1_000);
}

function untilMs(header: unknown, date: unknown): number | undefined {
  // Date.parse alone reads nearly anything: "-3" is a day in 2001.
  if (typeof header !== 'string' || !/^\s*[a-z]{3,9},/i.test(header)) return undefined;
  const waitMs = Date.parse(header) - Date.parse(String(date));
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
