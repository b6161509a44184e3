import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import { cutText } from '../options/cut-text.js';

/** Why a line could not be read as a command's options. */
export interface InputFailure {
  /**
   * `missing`: required options, or the value of a named one, are not there. `surplus`: more words
   * than options. `repeated`: an option has two values. `invalid`: a value is not what its option
   * takes. `unterminated-quote`: a quote is never closed. `crashed`: a check of the bot threw; the
   * user is not to blame.
   */
  readonly kind: 'missing' | 'surplus' | 'repeated' | 'invalid' | 'unterminated-quote' | 'crashed';
  /** The option it is about; the first one when several are missing. */
  readonly option?: string | undefined;
  /** All options that are missing, when `kind` is `missing`. */
  readonly missing?: readonly string[] | undefined;
  /** What was typed there. */
  readonly typed?: string | undefined;
  /** What would have fitted, as in "a whole number from 1 to 6". */
  readonly expected?: string | undefined;
  /** What a check of the bot's author said, in place of `expected`. */
  readonly reason?: string | undefined;
  /** What was thrown, when `kind` is `crashed`. */
  readonly cause?: unknown;
  /** One line for the user: what was wrong, what was typed, and the usage. */
  readonly message: string;
  readonly usage: string;
}

/** What the wording of a failure is made from. */
export type InputFailureFacts = Omit<InputFailure, 'message'>;

type InvalidFacts = Pick<InputFailureFacts, 'option' | 'typed' | 'expected' | 'reason'>;

const MAX_TYPED_LENGTH = 60;

/** Words a failure for the user who typed the line. */
function wordInputFailure(failure: InputFailureFacts): string {
  return cutText(`${sentenceOf(failure)} Usage: ${failure.usage}`, CONTENT_MAX_LENGTH);
}

/** The failure with its message. */
export function toInputFailure(facts: InputFailureFacts): InputFailure {
  return { ...facts, message: wordInputFailure(facts) };
}

function sentenceOf({
  kind,
  option,
  missing = [],
  typed,
  expected,
  reason,
}: InputFailureFacts): string {
  switch (kind) {
    case 'missing':
      return typed === undefined
        ? `${andList(missing)} ${missing.length > 1 ? 'are' : 'is'} missing.`
        : `${option}: ${typed} has no value, expected ${expected}.`;
    case 'surplus':
      return expected === undefined
        ? `Too many words: nothing takes ${show(typed)}.`
        : `Expected ${expected}, got ${show(typed)}.`;
    case 'repeated':
      return `${option} is given twice, the second time as ${show(typed)}.`;
    case 'unterminated-quote':
      return `${option}: the quote is never closed, got ${show(typed)}.`;
    case 'crashed':
      return 'Something went wrong while reading the options.';
    case 'invalid':
      return invalidSentence({ option, typed, expected, reason });
  }
}

function invalidSentence({ option, typed, expected, reason }: InvalidFacts): string {
  const subject = option === undefined ? '' : `${option}: `;
  const problem = reason === undefined ? `expected ${expected}` : oneLine(reason);
  // The words of a bot's author may be a sentence of their own.
  // A character beyond Latin-1 in the code would have Node.js keep a whole built bot at two bytes a character.
  const isSentence = /[.!?\u2026]$/.test(problem);
  if (typed === undefined) return `${subject}${problem}${isSentence ? '' : '.'}`;
  const got = isSentence ? ' Got' : ', got';
  return `${subject}${problem}${got} ${show(typed)}.`;
}

function show(typed: string | undefined): string {
  return `"${cutText(oneLine(typed ?? ''), MAX_TYPED_LENGTH)}"`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const andList = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
