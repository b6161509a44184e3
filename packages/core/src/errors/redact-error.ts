import { inspect } from 'node:util';
import { changeError, isVirguleError, type VirguleError } from './virgule-error.js';
import { isObject } from '../objects/is-object.js';

/** Errors can be each other's cause; past this depth a chain is cut. */
const MAX_CAUSES = 5;

type Redact = (text: string) => string;

/** Returns an error without secrets: itself, or a copy with name, message, stack, code, causes and Virgule's members. */
export function redactError(error: VirguleError, redact: Redact): VirguleError;
export function redactError(error: unknown, redact: Redact): unknown;
export function redactError(error: unknown, redact: Redact): unknown {
  const all = inspect(error, { depth: DEPTH_MAX, maxStringLength: null });
  // Everything that any printer shows of an error. A message that was changed later is not in the stack.
  const shown = error instanceof Error ? `${error.message}\n${all}` : all;
  return redact(shown) === shown ? error : copyOf(error, redact, 0);
}

function copyOf(error: unknown, redact: Redact, depth: number): unknown {
  if (!(error instanceof Error)) return redact(typeof error === 'string' ? error : inspect(error));
  const { cause } = error;
  const isLast = cause === undefined || depth === MAX_CAUSES;
  const copy = copyOfError(error, redact, isLast ? undefined : copyOf(cause, redact, depth + 1));
  if (error.stack !== undefined) copy.stack = redact(error.stack);
  return copy;
}

function copyOfError(error: Error, redact: Redact, cause: unknown): Error {
  if (isVirguleError(error)) {
    const { message, hint, details } = error;
    return changeError(error, {
      message: redact(message),
      hint: hint === undefined ? undefined : redact(hint),
      details: copyOfData(details, redact, 0),
      cause,
    });
  }
  const copy = new Error(redact(error.message), cause === undefined ? undefined : { cause });
  copy.name = redact(error.name);
  if ('code' in error) Object.assign(copy, { code: copyOfData(error.code, redact, 0) });
  return copy;
}

/** Maximum depth of details and properties; deeper values are not shown anywhere. */
const DEPTH_MAX = 5;

function copyOfData<Value>(value: Value, redact: Redact, depth: number): Value {
  // Each branch returns the type of `value`.
  const as = (copy: unknown): Value => copy as Value;
  if (typeof value === 'string') return as(redact(value));
  if (!isObject(value)) return value;
  if (depth === DEPTH_MAX) return as(undefined);
  const copyOfItem = (item: unknown): unknown => copyOfData(item, redact, depth + 1);
  if (Array.isArray(value)) return as(value.map(copyOfItem));
  const members = Object.entries(value).map(([key, item]) => [key, copyOfItem(item)]);
  return as(Object.fromEntries(members));
}
