import { orUndefined } from '@virgule/core/objects';

/**
 * Returns whether a value is the name of an IANA time zone that Node.js knows: `'Europe/Berlin'`. Only some versions of Node.js know
 * offsets, such as `+02:00`, and a later start may be on another one.
 */
export const isTimeZone = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^[a-z]/i.test(value) &&
  orUndefined(() => new Intl.DateTimeFormat('en', { timeZone: value })) !== undefined;
