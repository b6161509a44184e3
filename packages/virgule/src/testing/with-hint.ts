import { isVirguleError } from '@virgule/core/errors';

/** Adds the hint of an error to its message, as test runners print the message only. */
export function withHint<Thrown>(error: Thrown): Thrown {
  if (isVirguleError(error) && error.hint && !error.message.endsWith(error.hint))
    error.message += `\nTry:  ${error.hint}`;
  return error;
}

export function withHints<Result>(call: () => Result | Promise<Result>): Promise<Result> {
  const attempt = async (): Promise<Result> => call();
  const result = new Promise<Result>((resolve, reject) => {
    attempt().then(resolve, (error: unknown) => {
      // A test that keeps the promise may fail at another await first: one error is enough.
      if (isVirguleError(error, 'E_TEST_LIMIT')) result.catch(() => {});
      reject(withHint(error));
    });
  });
  return result;
}
