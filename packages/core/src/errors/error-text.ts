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
  if (!hasProperties(thrown)) return String(thrown);
  if (isError(thrown)) {
    const name = attempt(() => thrown.name);
    return attempt(() => thrown.message) ?? name ?? 'an error that cannot be read';
  }
  return (
    attempt(() => Reflect.get(thrown, 'message')) ??
    attempt(() => ownText(thrown)) ??
    attempt(() => JSON.stringify(thrown)) ??
    `${typeof thrown === 'function' ? 'a function' : 'an object'} that cannot be read`
  );
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
    else void ('message' in thrown && Reflect.get(thrown, 'message'));
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

const isError = (value: object): value is Error =>
  orUndefined(() => value instanceof Error) === true;

/** Returns the result of `toString`, unless the method is `Object.prototype.toString`, whose result says nothing. */
function ownText(value: object): unknown {
  const toText: unknown = Reflect.get(value, 'toString');
  const isOwn = typeof toText === 'function' && toText !== Object.prototype.toString;
  return isOwn ? Reflect.apply(toText, value, []) : undefined;
}

/** Returns a string that is worth showing, else `undefined`. */
function attempt(read: () => unknown): string | undefined {
  const text = orUndefined(read);
  return typeof text === 'string' && text !== '' ? text : undefined;
}
