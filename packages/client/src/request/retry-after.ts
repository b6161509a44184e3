/** Assumed when a 429 states no wait, in milliseconds. */
const ABSENT_MS = 5_000;

/** The shortest wait, in milliseconds: "0" would become a hot loop. */
const FLOOR_MS = 1_000;

/**
 * Returns how long a server asks to wait, in milliseconds: the longer one of the `Retry-After` header and the
 * body's `retryAfterSeconds`, or `undefined` when neither states a time. Both are stated as whole seconds (Bot
 * Interface, "Limits"); decimals are read too, and in the header a date, which counts from `date`, the header of
 * the same response.
 */
export function statedWaitMs(
  header: unknown,
  date: unknown,
  bodySeconds?: unknown,
): number | undefined {
  const inHeaderMs = secondsMs(header) ?? untilMs(header, date);
  const inBodyMs = secondsMs(bodySeconds);
  if (inHeaderMs === undefined || inBodyMs === undefined) return inHeaderMs ?? inBodyMs;
  return Math.max(inHeaderMs, inBodyMs);
}

/** Returns how long a route is paused after a 429 that states this wait, in milliseconds. */
export function limitWaitMs(statedMs: number | undefined): number {
  return statedMs === undefined ? ABSENT_MS : Math.max(FLOOR_MS, statedMs);
}

function secondsMs(value: unknown): number | undefined {
  if (Array.isArray(value)) return secondsMs(value[0]);
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\s*\d{1,10}(\.\d{1,9})?\s*$/.test(text)) return undefined;
  return Math.ceil(Number(text) * 1_000);
}

function untilMs(header: unknown, date: unknown): number | undefined {
  // Date.parse alone accepts nearly anything: "-3" is a day in 2001.
  if (typeof header !== 'string' || !/^\s*[a-z]{3,9},/i.test(header)) return undefined;
  const waitMs = Date.parse(header) - Date.parse(String(date));
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
