import { isObject, isPlainObject } from '@virgule/core/objects';

/**
 * A value that can be stored: a string, a number, `true`, `false`, `null`, a list or a plain object. The type excludes a `Date`, a
 * `Map`, a function and other objects that JSON would change; what a value contains is checked at run time.
 */
export type Storable = string | number | boolean | null | StorableObject;

// Objects that JSON changes have one of these members, and plain objects and lists have none.
type StorableObject = object & {
  readonly [Symbol.toPrimitive]?: never;
  readonly [Symbol.toStringTag]?: never;
  readonly [Symbol.hasInstance]?: never;
};

/** The part of a value that prevents storing the value. */
export interface JsonFault {
  /** Path in the value, such as `items.2.at`; empty for the value itself. */
  readonly path: string;
  readonly saw: string;
}

const MAX_BYTES = 1024 * 1024;
/** Maximum nesting of a value: writing a deeper value could exhaust the stack. */
const MAX_DEPTH = 500;

/**
 * Returns the JSON of a value, or the fault if the value is too large or JSON would change it: a function, `NaN` or
 * an infinite number, a `Date`, a `Map`, or a reference to itself. A key whose value is `undefined` is omitted.
 */
export function toJsonText(value: unknown): string | JsonFault {
  const fault = findFault(value, [], 0);
  if (fault) return fault;
  // `JSON.stringify` neither throws nor returns `undefined` for a value without faults.
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
    // JSON omits a member that is `undefined`, but replaces such an item of a list by null.
    if (item === undefined && !isList) continue;
    const fault = findFault(item, [...path, key], depth + 1);
    if (fault) return fault;
  }
  return undefined;
}
