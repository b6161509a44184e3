import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import { parseBoolean } from '@virgule/core/raw-input';
import { didYouMean, listOf, oneLine } from '@virgule/core/text';
import type { InputFailure } from '../../errors/error-guards.js';
import { cutText } from '../../text/cut-text.js';
import { formatUsage, type InputCommand } from './format-usage.js';

/** The facts from which the message of a failure is made. */
export type InputFailureFacts = Omit<InputFailure, 'message' | 'usage' | 'meant'>;

/** Options that are refused. */
export type RefusedInput = ReturnType<typeof inputFailure>;

/** Returns a failure with its message for the user who typed the line. */
export function inputFailure(command: InputCommand, rawInput: string, facts: InputFailureFacts) {
  const { kind } = facts;
  const usage = formatUsage(command);
  const meant =
    kind === 'invalid' || kind === 'surplus'
      ? meantForm(command, rawInput, facts.typed)
      : undefined;
  const parts = [
    kind === 'surplus' && command.spec.options.length === 0
      ? `Expected no options, got ${show(facts.typed)}.`
      : sentenceOf(facts),
    ...(meant ? [`Type ${withoutMentions(meant)}.`] : []),
    `Usage: ${usage}`,
  ];
  const message = cutText(parts.join(' '), CONTENT_MAX_LENGTH);
  return { ok: false as const, failure: { ...facts, ...(meant ? { meant } : {}), message, usage } };
}

/**
 * Returns the supported form `sides:8` of a name and its value if the line has another form: `sides=8`, `sides = 8` or `sides: 8`,
 * `--loud yes` for a flag, or `--sids 8` with a misspelled name. `failed`: the words that failed.
 */
function meantForm({ spec }: InputCommand, rawInput: string, failed = ''): string | undefined {
  const names = spec.options.map(({ name }) => name);
  const assigned = /(?<!\S)([\w-]{1,32})(?:=|:(?=\s)|\s+=)\s*([^\s"']{1,32})/g;
  for (const [, typed = '', value] of rawInput.matchAll(assigned))
    if (names.includes(typed.toLowerCase())) return `${typed.toLowerCase()}:${value}`;
  const named = /(?<!\S)(?:--|\u2014)([\w-]{1,32})\s+(?=([^\s"']{1,32}))/g;
  for (const [, typed = '', value = ''] of rawInput.matchAll(named)) {
    const option = spec.options.find(({ name }) => name === typed.toLowerCase());
    const isFlag = option?.negatable && parseBoolean(value) !== undefined;
    const name = isFlag && failed.split(/\s/, 1)[0] === value ? option.name : undefined;
    const meant = option ? name : didYouMean(typed, names);
    if (meant) return `${meant}:${value}`;
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
