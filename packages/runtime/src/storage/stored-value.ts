import type { z } from 'zod';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { durationMs, type Duration } from '../text/duration.js';
import { toJsonText } from './json-text.js';

/** Returns the value of a stored string; `undefined` without one. */
export function parse(
  path: string,
  text: string | undefined,
  schema: z.ZodType | undefined,
): unknown {
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  return schema ? check(path, value, schema) : value;
}

/** Returns a stored object as it was written, or upgraded: if the schema refuses the object, or has not all of its fields. */
export function current(
  stored: unknown,
  schema: z.ZodObject,
  upgrade: ((stored: unknown) => unknown) | undefined,
): object {
  // A schema with a rule for other fields decides about them.
  const isKnown = (key: string): boolean =>
    schema.def.catchall !== undefined || Object.hasOwn(schema.shape, key);
  const isCurrent = (): boolean =>
    Object.keys(Object(stored)).every(isKnown) && schema.safeParse(stored).success;
  if (!upgrade || stored === undefined || isCurrent()) return Object(stored);
  // A field that stays would be upgraded again, over the fields that were written since.
  const upgraded = Object.entries(Object(upgrade(stored)));
  return Object.fromEntries(upgraded.filter(([key]) => isKnown(key)));
}

/** Returns a value as its schema parses it. @param written - the new fields of the value, which an error blames first. */
export function check(path: string, value: unknown, schema: z.ZodType, written = {}): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue?.path.join('.') ?? '';
  const isNew = Object.hasOwn(written, String(issue?.path[0]));
  const details = { key: path, at, why: issue?.message ?? 'invalid', isNew };
  throw runtimeErrors.E_STORAGE_SCHEMA(details, { cause: parsed.error });
}

/** Returns a value as JSON. @throws VirguleError `E_STORAGE_VALUE`. */
export function textOf(path: string, value: unknown): string {
  const text = toJsonText(value);
  if (typeof text === 'string') return text;
  throw runtimeErrors.E_STORAGE_VALUE({ kind: 'value', key: path, ...text });
}

export function ttlMs(ttl: Duration): number {
  const ms = durationMs(ttl);
  if (ms === undefined || ms === 0) throw runtimeErrors.E_DURATION({ saw: String(ttl) });
  return ms;
}
