import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import type { InputFailure } from '../raw-input/input-failure.js';

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

/** Returns whether an error is how a handler ends that is stopped: the reason of its signal, or a wait that was closed. */
export const isStop = (error: unknown, { aborted, reason }: AbortSignal): boolean =>
  (aborted && error === reason) || isVirguleError(error, 'E_WAIT_CLOSED');
