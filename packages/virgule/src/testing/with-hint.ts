import { isVirguleError } from '@virgule/core/errors';

/** Adds the hint of an error to its message, as test runners print the message only. */
export function withHint<Thrown>(error: Thrown): Thrown {
  if (isVirguleError(error) && error.hint && !error.message.endsWith(error.hint))
    error.message += `\nTry:  ${error.hint}`;
  return error;
}

/** Calls a function whose errors are those of a test. */
export async function withHints<Result>(call: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw withHint(error);
  }
}
