import { orUndefined } from './or-undefined.js';

/** Returns whether a value is an object, arrays included; functions are not. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

/** Returns whether a value is an object with named fields, such as a JSON object; arrays are not. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !Array.isArray(value);

/** Returns the object with named fields in a JSON string; `undefined` if the string has another form. */
export function recordIn(json: string): Readonly<Record<string, unknown>> | undefined {
  const value: unknown = orUndefined(() => JSON.parse(json));
  return isRecord(value) ? value : undefined;
}

/** Returns whether a value is an object of `{}`, also of another realm, or without a prototype. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
