import { isObject, isPlainObject } from './is-object.js';

/** A longer string is cut: it ends up in an error and a log. In characters. */
const MAX_LENGTH = 60;

/** A value in a few words for an error: short, and on one line. */
export function describeSeen(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value);
  if (Array.isArray(value)) return 'an array';
  if (isObject(value)) return isPlainObject(value) ? 'an object' : `a ${value.constructor.name}`;
  return typeof value === 'function' ? 'a function' : String(value);
}
