import { isObject, isPlainObject } from '@virgule/core/objects';

/**
 * What can be stored: strings, numbers, `true`, `false`, `null`, lists and plain objects. Checked at run time, as the type
 * of an interface does not show whether JSON keeps it.
 */
export type Storable = NonNullable<unknown> | null;

/** Why a value cannot be stored. */
export interface JsonFault {
  /** Where in the value, such as `items.2.at`; empty for the value itself. */
  readonly path: string;
  readonly saw: string;
}

/** The largest value, in bytes of its JSON. */
const MAX_BYTES = 1024 * 1024;
/** Nested deeper than this, a value is refused: writing it could exhaust the stack. */
const MAX_DEPTH = 500;

/**
 * Returns a value as JSON, or why JSON would change it: it has a function, a number that is none, a `Date`,
 * a `Map`, or refers to itself; or that it is too large. A key whose value is `undefined` is left out.
 */
export function toJsonText(value: unknown): string | JsonFault {
  const fault = findFault(value, [], 0);
  if (fault) return fault;
  // Nothing is left that it could throw for, or leave out as a whole.
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  return bytes <= MAX_BYTES ? text : { path: '', saw: `more than 1 MiB of JSON: ${bytes} bytes` };
}

function findFault(
  value: unknown,
  path: readonly (string | number)[],
  depth: number,
): JsonFault | undefined {
  const refuse = (saw: string): JsonFault => ({ path: path.join('.'), saw });
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : refuse(String(value));
  if (!isObject(value)) return refuse(value === undefined ? 'nothing' : `a ${typeof value}`);
  if (depth === MAX_DEPTH) return refuse('a value that is nested too deep, or refers to itself');
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value))
    return refuse(`a ${value.constructor.name || 'class instance'}`);
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return refuse('an object with toJSON()');
  for (const [key, item] of isList ? value.entries() : Object.entries(value)) {
    // JSON leaves out such a member, and has null in such a place of a list.
    if (item === undefined && !isList) continue;
    const fault = findFault(item, [...path, key], depth + 1);
    if (fault) return fault;
  }
  return undefined;
}
