import { orUndefined } from './or-undefined.js';

/** Returns whether a value is an object, arrays included; functions are not. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Returns whether a value is an object with named fields, as a JSON object has: no array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

/** Returns the object with named fields that a string has as JSON, or `undefined`. */
export function recordIn(json: string): Readonly<Record<string, unknown>> | undefined {
  const value: unknown = orUndefined(() => JSON.parse(json));
  return isRecord(value) ? value : undefined;
}

/** Returns whether a value is an object of no class: one as `{}` creates it, also in another realm, or without a prototype. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
