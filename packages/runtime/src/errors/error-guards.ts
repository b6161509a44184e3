import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import type { InputFailure } from '../command/raw-input/input-failure.js';

/** A typed line that could not be read as the options of its command. */
export type InvalidInputError = VirguleError & {
  readonly code: 'E_INPUT';
  readonly details: InputFailure & { readonly commandName: string };
};

/**
 * Returns whether an error is a typed line that could not be read. In `_error.ts` it distinguishes a
 * failed validation from an error of a handler; `details` has the problem, what was typed, and the usage.
 */
export function isInvalidInput(error: unknown): error is InvalidInputError {
  return isVirguleError(error, 'E_INPUT');
}

/**
 * Returns whether an error is how a handler ends that the bot stopped: the reason of a shutdown, a wait that was closed,
 * or an answer to a bot that answers back. A timeout is a failure of the handler.
 */
export const isStop = (
  error: unknown,
  stopped: { readonly reason: unknown } | undefined,
): boolean =>
  isVirguleError(error, 'E_WAIT_CLOSED') ||
  isVirguleError(error, 'E_ANSWER_LOOP') ||
  (stopped !== undefined &&
    error === stopped.reason &&
    !isVirguleError(error, 'E_COMMAND_TIMEOUT'));
