import { isObject } from '../objects/is-object.js';
import { orUndefined } from '../objects/or-undefined.js';

/**
 * Returns a readable string for any thrown value: the message of an error; for another object its own text, or its
 * JSON. Never throws, even if the value throws when it is read. The string has any length: redact secrets before you
 * cut the string, because half of a secret is not found.
 *
 * @example
 * ```ts
 * errorText(new Error('no disk')); // 'no disk'
 * errorText({ code: 1 }); // '{"code":1}'
 * ```
 */
export function errorText(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  return orUndefined(() => textOf(thrown)) ?? 'a value that cannot be read';
}

function textOf(thrown: unknown): string {
  const { message, name }: Readonly<Record<string, unknown>> = Object(thrown);
  if (typeof message === 'string' && message !== '') return message;
  if (thrown instanceof Error) return String(name);
  const toText: unknown = isObject(thrown) ? Reflect.get(thrown, 'toString') : String;
  // The result of `Object.prototype.toString` says nothing.
  const isPlain = toText === undefined || toText === Object.prototype.toString;
  return isPlain ? JSON.stringify(thrown) : String(thrown);
}

/** Returns the name and the message of an error, such as `TypeError: no`; else the result of `errorText`. */
export function namedErrorText(thrown: unknown): string {
  const readable = readableError(thrown);
  return readable instanceof Error ? `${readable.name}: ${readable.message}` : errorText(thrown);
}

/** Returns a thrown value if it can be read, else an `Error`: a throwing getter would make each reader fail in turn. */
export function readableError(thrown: unknown): unknown {
  if (!hasProperties(thrown)) return thrown;
  try {
    if (thrown instanceof Error)
      void `${thrown.name}${thrown.message}${thrown.stack}${typeof thrown.cause}`;
    else void Reflect.get(thrown, 'message');
    return thrown;
  } catch {
    return new Error(errorText(thrown));
  }
}

/** Returns a thrown value if it is a readable error, else an `Error` with its `errorText`. */
export function toError(thrown: unknown): Error {
  const readable = readableError(thrown);
  return readable instanceof Error ? readable : new Error(errorText(thrown));
}

/** Returns the `code` of an error of Node.js, such as `ENOENT`; `undefined` for anything else. */
export function errorCode(thrown: unknown): unknown {
  return orUndefined(() => {
    // An error of another realm is no instance of this `Error`.
    const isAnyError =
      thrown instanceof Error || Object.prototype.toString.call(thrown) === '[object Error]';
    return isAnyError && isObject(thrown) && 'code' in thrown ? thrown.code : undefined;
  });
}

/** Returns whether reading a value can run foreign code, such as a getter. */
const hasProperties = (value: unknown): value is object =>
  isObject(value) || typeof value === 'function';
