import { isObject } from '@virgule/core/objects';
import { redact } from '../request/token.js';

/** A longer text is cut: it ends up in an error and a log. */
const MAX_LENGTH = 60;

/** A value in a few words for an error: short, on one line, and never the token. */
export function describeSeen(value: unknown, token: string): string {
  if (typeof value === 'string') {
    const text = redact(value, token);
    return JSON.stringify(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
  }
  if (Array.isArray(value)) return 'an array';
  if (isObject(value)) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
