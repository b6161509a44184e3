import { isVirguleError } from '@virgule/core/errors';
import { WatchedPromise } from '@virgule/runtime/bot';

/** Adds the hint of an error to its message, as test runners print the message only. */
export function withHint<Thrown>(error: Thrown): Thrown {
  if (isVirguleError(error) && error.hint && !error.message.endsWith(error.hint))
    error.message += `\nTry:  ${error.hint}`;
  return error;
}

/** Calls a function, and adds hints to its error. A test may await the promise late: `onFailed` is called at once. */
export function withHints<Result>(
  call: () => Result | Promise<Result>,
  onFailed: Parameters<typeof WatchedPromise.watch>[1] = () => {},
): Promise<Result> {
  const attempt = async (): Promise<Result> => call();
  const failing = attempt().catch((error: unknown) => {
    throw withHint(error);
  });
  return WatchedPromise.watch(failing, onFailed);
}
