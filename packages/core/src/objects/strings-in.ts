import { isObject, isPlainObject } from './is-object.js';

/** Maximum number of strings, and maximum depth of the search: a value may contain whole files. */
const MAX_FOUND = 1_000;
const DEPTH_MAX = 5;

/** Returns the strings in a value, such as those of a list, that have at least `minLength` characters. */
export function stringsIn(value: unknown, minLength = 0): string[] {
  const found: string[] = [];
  const visit = (part: unknown, depth: number): void => {
    if (found.length >= MAX_FOUND || depth > DEPTH_MAX) return;
    if (typeof part === 'string') {
      if (part.length >= minLength) found.push(part);
    } else if (isObject(part)) {
      for (const item of membersOf(part)) visit(item, depth + 1);
    }
  };
  visit(value, 0);
  return found;
}

function membersOf(part: object): Iterable<unknown> {
  if (Array.isArray(part) || part instanceof Set) return part;
  return part instanceof Map ? part.values() : isPlainObject(part) ? Object.values(part) : [];
}
