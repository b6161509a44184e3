import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import { parseBoolean } from '@virgule/core/raw-input';
import { didYouMean, listOf, oneLine } from '@virgule/core/text';
import type { InputFailure } from '../../errors/error-guards.js';
import { cutText } from '../../text/cut-text.js';
import { formatUsage, type InputCommand } from './format-usage.js';

/** The facts from which the message of a failure is made. */
export type InputFailureFacts = Omit<InputFailure, 'message' | 'usage' | 'meant'>;

/** Returns a failure with its message for the user who typed the line. */
export function inputFailure(
  command: InputCommand,
  rawInput: string,
  facts: InputFailureFacts,
): { readonly ok: false; readonly failure: InputFailure } {
  const { kind } = facts;
  const usage = formatUsage(command);
  const meant =
    kind === 'invalid' || kind === 'surplus'
      ? (meantName(command, rawInput) ??
        meantFlag(command, rawInput, facts.typed) ??
        meantSpelling(command, rawInput))
      : undefined;
  const parts = [
    kind === 'surplus' && command.spec.options.length === 0
      ? `Expected no options, got ${show(facts.typed)}.`
      : sentenceOf(facts),
    ...(meant ? [`Type ${withoutMentions(meant)}.`] : []),
    `Usage: ${usage}`,
  ];
  const message = cutText(parts.join(' '), CONTENT_MAX_LENGTH);
  return { ok: false, failure: { ...facts, ...(meant ? { meant } : {}), message, usage } };
}

/** Returns the supported form `sides:8` if the line contains the name of an option as `sides=8`, `sides = 8` or `sides: 8`. */
function meantName({ spec }: InputCommand, rawInput: string): string | undefined {
  const names = /(?<!\S)([\w-]{1,32})(?:=|:(?=\s)|\s+=)\s*([^\s"']{1,32})/g;
  for (const [, typed = '', value] of rawInput.matchAll(names)) {
    const option = spec.options.find(({ name }) => name === typed.toLowerCase());
    if (option) return `${option.name}:${value}`;
  }
  return undefined;
}

/** Returns the supported form `loud:yes` if the words that failed begin with the value of a flag, as in `--loud yes`. */
function meantFlag({ spec }: InputCommand, rawInput: string, failed = ''): string | undefined {
  const [value = ''] = /^\S*/.exec(failed) ?? [];
  if (parseBoolean(value) === undefined) return undefined;
  for (const [, name = '', next] of rawInput.matchAll(
    /(?<!\S)(?:--|\u2014)([\w-]{1,32})\s+(?=(\S{1,5}))/g,
  )) {
    const option = spec.options.find((each) => each.negatable && each.name === name.toLowerCase());
    if (option && next === value) return `${option.name}:${value}`;
  }
  return undefined;
}

/** Returns the supported form `room:x` if the first unknown name of the line misspells the name of an option, as in `--rom x`. */
function meantSpelling({ spec }: InputCommand, rawInput: string): string | undefined {
  const names = spec.options.map(({ name }) => name);
  const typedNames = rawInput.matchAll(/(?<!\S)(?:--|\u2014)([\w-]{1,32})\s+([^\s"']{1,32})/g);
  for (const [, typed = '', value] of typedNames) {
    if (names.includes(typed.toLowerCase())) continue;
    const name = didYouMean(typed, names);
    return name && `${name}:${value}`;
  }
  return undefined;
}

function sentenceOf(facts: InputFailureFacts): string {
  const { kind, option, missing = [], typed, expected } = facts;
  switch (kind) {
    case 'missing':
      return typed === undefined
        ? `${listOf(missing)} ${missing.length > 1 ? 'are' : 'is'} missing.`
        : `${option}: ${typed} has no value, expected ${expected?.text}.`;
    case 'surplus':
      return `Too many values: no option takes ${show(typed)}.`;
    case 'repeated':
      return `${option} is given twice, the second time as ${show(typed)}.`;
    case 'unterminated-quote':
      return `${option}: the quote is never closed, got ${show(typed)}.`;
    case 'crashed':
      return 'Something went wrong while reading the options.';
    case 'invalid':
      return invalidSentence(facts);
  }
}

function invalidSentence({ option, typed, expected, reason }: InputFailureFacts): string {
  const subject = option === undefined ? '' : `${option}: `;
  const problem = oneLine(reason ?? `expected ${expected?.text}`);
  // The message of a bot's author may be a complete sentence. The escape keeps the source in Latin-1: V8 stores a whole bundle
  // with two bytes per character otherwise.
  const isSentence = /[.!?\u2026]$/.test(problem);
  if (typed === undefined) return `${subject}${problem}${isSentence ? '' : '.'}`;
  return `${subject}${problem}${isSentence ? ' Got' : ', got'} ${show(typed)}.`;
}

const show = (typed = ''): string => `"${shownText(typed)}"`;

const MAX_LENGTH = 60;

/** Returns typed text in a form safe for an answer: on one line, at most 60 characters long, and without mentions. */
export const shownText = (typed: string): string =>
  withoutMentions(cutText(oneLine(typed), MAX_LENGTH));

/** Returns a typed text whose mentions notify no one: the bot may be allowed to mention everyone, its user may not. */
export const withoutMentions = (typed: string): string =>
  typed.replaceAll(/<@|@(?=everyone|here)/gi, (mark) => `${mark}\u200B`);
