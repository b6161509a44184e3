/** Returns whether a value is the name of an IANA time zone that Node.js knows: `'Europe/Berlin'`. */
export function isTimeZone(value: unknown): value is string {
  // Only some versions of Node.js know offsets, such as `+02:00`, and a later start may be on another one.
  if (typeof value !== 'string' || !/^[a-z]/i.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
