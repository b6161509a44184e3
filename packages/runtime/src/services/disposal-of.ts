import { isObject } from '@virgule/core/objects';

/** Returns a function that disposes a value: by `Symbol.asyncDispose`, `Symbol.dispose` or `close`, the first it has; `null` if it has none. */
export function disposalOf(value: unknown): (() => unknown) | null {
  if (!isObject(value) && typeof value !== 'function') return null;
  const members = value as {
    readonly [Symbol.asyncDispose]?: unknown;
    readonly [Symbol.dispose]?: unknown;
    readonly close?: unknown;
  };
  const method = members[Symbol.asyncDispose] ?? members[Symbol.dispose] ?? members.close;
  return typeof method === 'function' ? () => Reflect.apply(method, value, []) : null;
}
