import { isObject, isPlainObject } from './is-object.js';

/** Maximum length of a string that is shown. */
const MAX_LENGTH = 60;

/** A value in a few words for an error: short, and on one line. */
export function describeSeen(value: unknown): string {
  // A cut could leave half of a secret, which the redaction does not find.
  if (typeof value === 'string')
    return value.length > MAX_LENGTH
      ? `a string of ${value.length} characters`
      : JSON.stringify(value);
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Promise) return 'a promise without await';
  if (isObject(value)) return isPlainObject(value) ? 'an object' : `a ${value.constructor.name}`;
  return typeof value === 'function' ? 'a function' : String(value);
}
