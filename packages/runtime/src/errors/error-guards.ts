import { isVirguleError, type VirguleError } from '@virgule/core/errors';

/** Why a line could not be read as the options of its command. */
export interface InputFailure {
  /**
   * `missing`: required options, or the value of a named one, are missing. `surplus`: more words than
   * options. `repeated`: an option has two values. `invalid`: an option does not accept its value.
   * `unterminated-quote`: a quote is never closed. `crashed`: a check of the bot threw; the user did
   * nothing wrong.
   */
  readonly kind: 'missing' | 'surplus' | 'repeated' | 'invalid' | 'unterminated-quote' | 'crashed';
  /** The option in question; the first one when several are missing. */
  readonly option?: string | undefined;
  /** All missing options, when `kind` is `missing`. */
  readonly missing?: readonly string[] | undefined;
  /** What was typed for the option. */
  readonly typed?: string | undefined;
  /** What is accepted, as in "a whole number from 1 to 6". */
  readonly expected?: string | undefined;
  /** The message of the schema, instead of `expected`. */
  readonly reason?: string | undefined;
  /** What to type instead, where a name seems to be written in another form: `sides:8`. */
  readonly meant?: string | undefined;
  /** The error, when `kind` is `crashed`. */
  readonly cause?: unknown;
  /** One line for the user: the problem, what was typed, and the usage. */
  readonly message: string;
  readonly usage: string;
}

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
