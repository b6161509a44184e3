import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import type { OptionType } from '@virgule/core/protocol';

/** Descriptions of kinds without bounds. For formats of zod that are not here, only the schema knows the accepted values. */
export const VALUE_TEXTS = {
  user: 'a user, as a mention or an id',
  channel: 'a channel, as a mention or an id',
  role: 'a role, as a mention or an id',
  mentionable: 'a user or role, as a mention or an id',
  message: 'a message, as a link or an id',
  timeZone: 'a time zone like Europe/Berlin',
  attachment: 'an attached file',
  url: 'a URL',
  email: 'an email address',
  uuid: 'an id like 123e4567-e89b-42d3-a456-426614174000',
  guid: 'an id like 123e4567-e89b-42d3-a456-426614174000',
  date: 'a date like 2030-01-31',
  time: 'a time like 18:30:00',
  datetime: 'a date and time like 2030-01-31T18:30:00Z',
  'iso-duration': 'a duration like PT1H30M',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  lowercase: 'text in lower case',
  uppercase: 'text in upper case',
};

/** Values that an option accepts, for a message in any language. */
export interface ExpectedValue {
  /** Kind of the value: a type of the platform, a kind of `option`, or a string format of zod. */
  readonly kind:
    | keyof typeof VALUE_TEXTS
    | Extract<OptionType, 'integer' | 'number' | 'boolean'>
    | 'text'
    | 'choice'
    | 'list'
    | 'duration';
  /** Bounds as in a JSON schema, if the schema has any. Those of a duration are in milliseconds. */
  readonly bounds: {
    readonly minimum?: number;
    readonly maximum?: number;
    readonly exclusiveMinimum?: number;
    readonly exclusiveMaximum?: number;
    readonly multipleOf?: number;
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly minItems?: number;
    readonly maxItems?: number;
  };
  /** The only accepted words. */
  readonly choices?: readonly string[] | undefined;
  /** The values in English, such as "a whole number from 1 to 6". */
  readonly text: string;
}

/** Failure to read a line as the options of its command. */
export interface InputFailure {
  /**
   * Kind of failure. `missing`: required options, or the value of a named option, are missing. `surplus`: there are more words
   * than options. `repeated`: an option has two values. `invalid`: an option does not accept its value. `unterminated-quote`: a
   * quote is never closed. `crashed`: a check of the bot threw; the user did nothing wrong.
   */
  readonly kind: 'missing' | 'surplus' | 'repeated' | 'invalid' | 'unterminated-quote' | 'crashed';
  /** Name of the option that failed; the first option if several are missing. */
  readonly option?: string | undefined;
  /** Names of all missing options, if `kind` is `missing`. */
  readonly missing?: readonly string[] | undefined;
  /** Text that was typed for the option. */
  readonly typed?: string | undefined;
  /** Accepted values. */
  readonly expected?: ExpectedValue | undefined;
  /** Message of the schema, instead of `expected`. */
  readonly reason?: string | undefined;
  /** Text to type instead, if the line seems to contain the name of an option in another form: `sides:8`. */
  readonly meant?: string | undefined;
  /** Error of the check, if `kind` is `crashed`. */
  readonly cause?: unknown;
  /** Message for the user in one line: the problem, the typed text, and the usage. */
  readonly message: string;
  readonly usage: string;
}

/** A typed line that could not be read as the options of its command. */
export type InvalidInputError = VirguleError & {
  readonly code: 'E_INPUT';
  readonly details: InputFailure & { readonly commandName: string };
};

/**
 * Returns whether an error means that a typed line could not be read. Use this function in `_error.ts` to distinguish a failed
 * validation from an error of a handler; `details` has the problem, the typed text, and the usage.
 */
export const isInvalidInput = (error: unknown): error is InvalidInputError =>
  isVirguleError(error, 'E_INPUT');

/**
 * Returns whether an error means that the bot stopped the handler: the reason of a shutdown, a closed wait, or a stopped
 * loop of answers. A timeout is a failure of the handler instead.
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
