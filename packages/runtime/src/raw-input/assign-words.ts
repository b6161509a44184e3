import type { OptionSpec } from '../options/option-spec.js';
import { matchNamedOption, type NamedOption } from './named-option.js';
import { createLineReader, type LineReader } from './read-word.js';
import { endOfWord, skipSpace, trimmedEnd } from './white-space.js';

/** What was typed for each option, in the order of the options. A flag has no text of its own. */
export type Typed = string | boolean | undefined;

/** Why the words of a line do not fit the options. */
export type Misfit =
  | { readonly kind: 'surplus'; readonly typed: string }
  | { readonly kind: 'repeated'; readonly option: OptionSpec; readonly typed: string }
  | { readonly kind: 'valueless'; readonly option: OptionSpec; readonly typed: string }
  | { readonly kind: 'unterminated-quote'; readonly option: OptionSpec; readonly typed: string };

export type Assignment =
  | { readonly ok: true; readonly typed: readonly Typed[] }
  | { readonly ok: false; readonly misfit: Misfit };

type Step = { readonly end: number } | { readonly misfit: Misfit };

/**
 * Gives the words of a line to the options, from left to right: a named option takes its value, any
 * other word goes to the first option that has none. An option that takes the rest ends the reading.
 */
export function assignWords(
  line: string,
  from: number,
  options: readonly OptionSpec[],
): Assignment {
  const reader = createLineReader(line);
  const typed: Typed[] = [];
  for (let index = 0; index < options.length; index += 1) typed.push(undefined);
  let next = 0;
  let position = skipSpace(line, from);
  while (position < line.length) {
    const named = matchNamedOption(line, position, options);
    while (typed[next] !== undefined) next += 1;
    const step: Step = named
      ? takeNamed(line, position, named, { options, reader, typed })
      : takePositional(line, position, next, { options, reader, typed });
    if ('misfit' in step) return { ok: false, misfit: step.misfit };
    position = skipSpace(line, step.end);
  }
  return { ok: true, typed };
}

interface Reading {
  readonly options: readonly OptionSpec[];
  readonly reader: LineReader;
  /** Filled as the line is read. */
  readonly typed: Typed[];
}

function takePositional(line: string, at: number, index: number, reading: Reading): Step {
  const { options, reader, typed } = reading;
  const option = options[index];
  if (!option) {
    return { misfit: { kind: 'surplus', typed: line.slice(at, trimmedEnd(line, at)) } };
  }
  if (option.take !== 'word') {
    typed[index] = option.take === 'raw' ? line.slice(at) : reader.rest(at);
    return { end: line.length };
  }
  return takeWord(line, at, index, option, reading);
}

function takeNamed(line: string, at: number, named: NamedOption, reading: Reading): Step {
  const { index, option, form, valueAt } = named;
  const { options, reader, typed } = reading;
  if (typed[index] !== undefined) {
    return { misfit: { kind: 'repeated', option, typed: line.slice(at, endOfWord(line, at)) } };
  }
  if (form === 'negated') {
    typed[index] = false;
    return { end: valueAt };
  }
  const start = form === 'apart' ? skipSpace(line, valueAt) : valueAt;
  if (option.negatable === true && form === 'apart') {
    // Only these two words: "--loud yes" may well be a flag before a text that begins with "yes".
    const end = endOfWord(line, start);
    const word = end - start <= 5 ? line.slice(start, end).toLowerCase() : '';
    const isValue = word === 'true' || word === 'false';
    typed[index] = isValue ? word : true;
    return { end: isValue ? end : valueAt };
  }
  if (option.take === 'raw') {
    if (form === 'apart' && start === line.length) return valueless(line, at, option);
    typed[index] = line.slice(start);
    return { end: line.length };
  }
  if (option.take === 'rest') {
    if (form === 'apart' && start === line.length) return valueless(line, at, option);
    const quoted = reader.quoted(start);
    typed[index] = quoted?.text ?? reader.rest(start);
    return { end: quoted?.end ?? line.length };
  }
  if (form === 'apart' && (start === line.length || matchNamedOption(line, start, options))) {
    return valueless(line, at, option);
  }
  return takeWord(line, start, index, option, reading);
}

function takeWord(
  line: string,
  at: number,
  index: number,
  option: OptionSpec,
  { reader, typed }: Reading,
): Step {
  const word = reader.word(at);
  if (!word) {
    const rest = line.slice(at, trimmedEnd(line, at));
    return { misfit: { kind: 'unterminated-quote', option, typed: rest } };
  }
  typed[index] = word.text;
  return { end: word.end };
}

function valueless(line: string, at: number, option: OptionSpec): Step {
  return { misfit: { kind: 'valueless', option, typed: line.slice(at, endOfWord(line, at)) } };
}
