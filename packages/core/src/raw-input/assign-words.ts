import type { LineOption } from './line-option.js';
import { matchNamedOption, type NamedOption } from './named-option.js';
import { hasForm } from './parse-value.js';
import { createLineReader, type LineReader } from './read-word.js';
import { endOfWord, skipSpace, trimmedEnd } from './white-space.js';

/** A value that was typed for an option. */
export interface AssignedValue {
  /** The string without its quotes and escapes; a boolean for a flag, which needs no value. */
  readonly typed: string | boolean;
  /** Index of the value in the line, quotes included; for a flag, index of its name. */
  readonly start: number;
  /** Index after the value. */
  readonly end: number;
}

/** The first words of a line that do not match the options. No word after these is assigned. */
export type Mismatch<Option extends LineOption = LineOption> =
  /** More words than options. */
  | (MismatchPlace & { readonly kind: 'surplus' })
  /**
   * `repeated`: the option has a value already. `valueless`: the name of the option has no value. `unterminated-quote`:
   * the quote that starts the value has no closing quote.
   */
  | (MismatchPlace & {
      readonly kind: 'repeated' | 'valueless' | 'unterminated-quote';
      readonly option: Option;
    });

interface MismatchPlace {
  /** The words that do not match. */
  readonly typed: string;
  /** Index of the words in the line. */
  readonly start: number;
  /** Index after the words. */
  readonly end: number;
}

export interface Assignment<Option extends LineOption = LineOption> {
  /** The values in the order of the options; `undefined` for an option without a value. */
  readonly values: readonly (AssignedValue | undefined)[];
  /** Index of the first option that another word could be for. */
  readonly next: number;
  /** Absent when every word of the line was assigned. */
  readonly mismatch?: Mismatch<Option>;
}

type Step<Option extends LineOption> =
  | { readonly end: number }
  | { readonly mismatch: Mismatch<Option> };

/**
 * Assigns the words of a line from index `from`: a named option takes its value, any other word goes to the next option
 * without a value. An optional one is skipped if the word does not have its form and a later option takes the word. An option
 * that takes the rest ends the line. Takes linear time.
 */
export function assignWords<Option extends LineOption>(
  line: string,
  from: number,
  options: readonly Option[],
): Assignment<Option> {
  const reader = createLineReader(line);
  const values: (AssignedValue | undefined)[] = [];
  for (let index = 0; index < options.length; index += 1) values.push(undefined);
  let next = 0;
  let position = skipSpace(line, from);
  while (position < line.length) {
    const named = matchNamedOption(line, position, options);
    const reading: Reading<Option> = { line, options, reader, values };
    if (!named) next = nextOption(position, next, reading);
    const step: Step<Option> = named
      ? takeNamed(position, named, reading)
      : takePositional(position, next, reading);
    if ('mismatch' in step) return { values, next, mismatch: step.mismatch };
    position = skipSpace(line, step.end);
  }
  return { values, next };
}

interface Reading<Option extends LineOption> {
  readonly line: string;
  readonly options: readonly Option[];
  readonly reader: LineReader;
  /** Filled as the line is read. */
  readonly values: (AssignedValue | undefined)[];
}

/** Returns the index of the option for the word at `at`; an index without an option if all have values. */
function nextOption<Option extends LineOption>(
  at: number,
  from: number,
  { options, reader, values }: Reading<Option>,
): number {
  let first: number | undefined;
  let word: string | undefined;
  for (let index = from; index < options.length; index += 1) {
    const { named, required, expected } = options[index] ?? {};
    if (values[index] !== undefined || named === true) continue;
    if (required !== false || !expected) return index;
    word ??= reader.word(at)?.text ?? '';
    if (hasForm(word, expected)) return index;
    first ??= index;
  }
  return first ?? options.length;
}

function takePositional<Option extends LineOption>(
  at: number,
  index: number,
  reading: Reading<Option>,
): Step<Option> {
  const { line, options, reader, values } = reading;
  const option = options[index];
  if (!option) return { mismatch: { kind: 'surplus', ...place(line, at, trimmedEnd(line, at)) } };
  const { take } = option;
  if (take === 'word') return takeWord(at, index, option, reading);
  const typed = take === 'raw' ? line.slice(at) : reader.rest(at);
  values[index] = { typed, start: at, end: line.length };
  return { end: line.length };
}

function takeNamed<Option extends LineOption>(
  at: number,
  named: NamedOption<Option>,
  reading: Reading<Option>,
): Step<Option> {
  const { index, option, form, valueAt } = named;
  const { line, options, reader, values } = reading;
  const refuse = (kind: 'repeated' | 'valueless'): Step<Option> => ({
    mismatch: { kind, option, ...place(line, at, endOfWord(line, at)) },
  });
  if (values[index] !== undefined) return refuse('repeated');
  if (form === 'negated') {
    values[index] = { typed: false, start: at, end: valueAt };
    return { end: valueAt };
  }
  const start = form === 'separate' ? skipSpace(line, valueAt) : valueAt;
  if (option.negatable === true && form === 'separate') {
    // Accepts only these two words, because "--loud yes" may be a flag before a text that starts with "yes".
    const end = endOfWord(line, start);
    const word = end - start <= 5 ? line.slice(start, end).toLowerCase() : '';
    const isValue = word === 'true' || word === 'false';
    const value = isValue ? { typed: word, start, end } : { typed: true, start: at, end: valueAt };
    values[index] = value;
    return value;
  }
  const isNext = (): boolean => option.take === 'word' && !!matchNamedOption(line, start, options);
  if (form === 'separate' && (start === line.length || isNext())) return refuse('valueless');
  if (option.take === 'raw') {
    values[index] = { typed: line.slice(start), start, end: line.length };
    return { end: line.length };
  }
  if (option.take === 'rest') {
    const quoted = reader.quoted(start);
    const end = quoted?.end ?? line.length;
    values[index] = { typed: quoted?.text ?? reader.rest(start), start, end };
    return { end };
  }
  return takeWord(start, index, option, reading);
}

function takeWord<Option extends LineOption>(
  at: number,
  index: number,
  option: Option,
  { line, reader, values }: Reading<Option>,
): Step<Option> {
  const word = reader.word(at);
  if (!word) {
    const rest = place(line, at, trimmedEnd(line, at));
    return { mismatch: { kind: 'unterminated-quote', option, ...rest } };
  }
  values[index] = { typed: word.text, start: at, end: word.end };
  return { end: word.end };
}

function place(line: string, start: number, end: number): MismatchPlace {
  return { typed: line.slice(start, end), start, end };
}
