/** Returns whether a value is the name of an IANA time zone that Node.js knows: `'Europe/Berlin'`. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
