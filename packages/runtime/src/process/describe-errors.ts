import { errorText, isVirguleError, readableError } from '@virgule/core/errors';
import { isObject } from '@virgule/core/objects';

/** Returns the details of a line, with errors as plain data. Anything may be thrown, so that `err` is always an error. */
export function describeErrors(details: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]: [string, unknown]) => {
      const readable = isObject(value) ? readableError(value) : value;
      return [key, key === 'err' || readable instanceof Error ? describeError(readable) : readable];
    }),
  );
}

/** Maximum depth of a chain of causes. Errors can be each other's cause. */
const MAX_CAUSES = 5;

/** Maximum number of errors of an `AggregateError` in a line. */
const MAX_ERRORS = 10;

const describeAll = (errors: readonly unknown[], depth: number): unknown =>
  depth < MAX_CAUSES
    ? errors.slice(0, MAX_ERRORS).map((each) => describeError(each, depth + 1))
    : errors.length;

/** Converts an error to plain data. Errors of kind `user` have no stack, since the stack would point into Virgule, not at the cause. */
function describeError(thrown: unknown, depth = 0): unknown {
  const error = readableError(thrown);
  if (!(error instanceof Error)) return { message: errorText(error) };
  const errors: unknown = error instanceof AggregateError ? error.errors : undefined;
  const known = isVirguleError(error) ? error : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(Array.isArray(errors) && { errors: describeAll(errors, depth) }),
    code: known?.code,
    hint: known?.hint,
    location: known?.location,
    details: known?.details,
    stack: known && known.kind !== 'bug' ? undefined : error.stack,
    cause:
      error.cause === undefined || depth === MAX_CAUSES
        ? undefined
        : describeError(error.cause, depth + 1),
  };
}
