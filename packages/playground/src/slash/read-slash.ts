import type { Command, CommandOption } from '@virgule/core/protocol';
import { didYouMean } from '@virgule/core/text';
import { mentionFor, type SimHandlerFile } from '@virgule/core/simulator-api';
import { checkValue, MAX_LISTED, type Nameable, suggestValues } from './option-values.js';
import { describeMismatch, readTypedLine, type TypedLine, type TypedValue } from './typed-line.js';
import { commandOf, commandWord } from '../state/bots.js';

/** Returns the matching commands: by the start of the name, elsewhere in the name, then by the description. */
export function matchCommands(commands: readonly Command[], query: string): readonly Command[] {
  const wanted = query.toLowerCase();
  const ranked: readonly [Command[], Command[], Command[]] = [[], [], []];
  for (const command of commands.toSorted((a, b) => commandWord(a).localeCompare(commandWord(b)))) {
    const word = commandWord(command).toLowerCase();
    if (word.startsWith(wanted)) ranked[0].push(command);
    else if (word.includes(wanted)) ranked[1].push(command);
    else if (command.description.toLowerCase().includes(wanted)) ranked[2].push(command);
  }
  return ranked.flat().slice(0, MAX_LISTED);
}

/** Returns the command that the user probably meant; null without a similar command. */
export function nearestCommand(commands: readonly Command[], name: string): Command | null {
  const names = commands.map((command) => command.name);
  const nearest = didYouMean(name, names);
  return commands.find((command) => command.name === nearest) ?? null;
}

/** A line that starts with a slash, or has a name after an `@` at the caret. */
export type SlashLine =
  /** The name is being typed. */
  | { readonly kind: 'naming'; readonly query: string; readonly matches: readonly Command[] }
  /** No command has this name. */
  | { readonly kind: 'unknown'; readonly name: string; readonly nearest: Command | null }
  /** The command is known; its options are being typed. */
  | CommandLine
  /** A name of a user or of a command is being typed in a message. */
  | (Pick<CommandLine, 'values' | 'replaces'> & { readonly kind: 'mention' });

export type CommandLine = ReturnType<typeof readOptions>;

export interface ReadSlashInput {
  readonly text: string;
  /** Index of the caret. */
  readonly caret: number;
  readonly commands: readonly Command[];
  /** Commands that messages run. */
  readonly messages: readonly SimHandlerFile[];
  readonly nameable: Nameable;
}

/** Returns the line to send: in values, names become mentions or URLs of uploaded files, according to the type of the option. */
export function toRawInput(text: string, given: readonly TypedValue[], nameable: Nameable): string {
  let line = text;
  for (const { option, text: typed, start, end } of given.toSorted((a, b) => b.start - a.start)) {
    const file = option.type === 'attachment' && nameable.files.find(({ name }) => name === typed);
    const sent = file ? file.url : mentionFor(option.type, typed, nameable);
    if (sent != null) line = line.slice(0, start) + sent + line.slice(end);
  }
  return line.trimEnd();
}

/** Returns the option at the caret. `isValue` is false in a flag or in the name of an option. */
function placeOf({ values, next, mismatch }: TypedLine, caret: number) {
  const value = values.find(({ start, end }) => start <= caret && caret <= end);
  if (value !== undefined) return { option: value.option, value, isValue: !value.isFlag };
  if (mismatch === null || caret < mismatch.start) return { option: next, isValue: true };
  if (mismatch.kind === 'surplus') return { option: null, isValue: false };
  const isValue = mismatch.kind === 'valueless' && caret > mismatch.end;
  return { option: mismatch.option.option, isValue };
}

/** Returns the error in the line, unless the user is still typing there. */
function warningOf({ values, mismatch }: TypedLine, text: string, caret: number): string | null {
  const isTyping =
    mismatch?.kind === 'valueless'
      ? caret >= mismatch.start && text.slice(mismatch.end).trim() === ''
      : mismatch?.kind === 'unterminated-quote' && caret === text.length;
  if (mismatch !== null && !isTyping) return describeMismatch(mismatch);
  const problems = values
    .filter(({ end }) => end !== caret)
    .map(({ option, text: typed }) => checkValue(option, typed));
  return problems.find((problem) => problem !== null) ?? null;
}

function readOptions(command: Command, nameLength: number, input: ReadSlashInput) {
  const { text, caret, nameable } = input;
  const line = readTypedLine(command.options, text, nameLength);
  const { values: given } = line;
  const { option, value, isValue } = placeOf(line, caret);
  const current = caret < nameLength ? null : option;
  const typed = value === undefined ? '' : text.slice(value.start, caret);
  const values = current === null || !isValue ? [] : suggestValues(current, typed, nameable);
  const isSettled = values.some((value) => value.insert === typed);
  const isMissing = (each: CommandOption) =>
    each.required && !given.some((known) => known.option === each);
  return {
    kind: 'command' as const,
    command,
    given,
    /** The option at the caret. */
    current,
    /** Required options without a value; none after a mismatch, where the words are not read. */
    missing: line.mismatch ? [] : command.options.filter(isMissing),
    /** Error in the line. The line can be sent anyway: the bot decides. */
    warning: warningOf(line, text, caret),
    values: isSettled ? [] : values,
    /** `true` if a file can be inserted at the caret. */
    takesFile: current?.type === 'attachment' && isValue && value === undefined,
    /** Range of the line that a suggested value replaces. */
    replaces: { start: value?.start ?? caret, end: value?.end ?? caret },
    /** The line to send. */
    rawInput: toRawInput(text, given, nameable),
  };
}

const MENTIONABLE = { name: '', description: '', type: 'mentionable', required: false };

function readMention({ text, caret, nameable }: ReadSlashInput): SlashLine | null {
  const typed = /(?:^|[\s(])(@[\p{L}\p{N}_.-]*)$/u.exec(text.slice(0, caret))?.[1];
  if (typed === undefined || /^[\p{L}\p{N}_]/u.test(text.slice(caret))) return null;
  const values = suggestValues(MENTIONABLE, typed, nameable);
  if (values.length === 0 || values.some(({ insert }) => insert === typed)) return null;
  return { kind: 'mention', values, replaces: { start: caret - typed.length, end: caret } };
}

/** Reads the beginning of a message that runs a command: its prefix, and a part of its name. */
function readPrefixed({ text, caret, messages }: ReadSlashInput): SlashLine | null {
  const typed = text.slice(0, caret).toLowerCase();
  const values = messages.flatMap(({ name, message: label = '', about: detail = '' }) => {
    const at = label.indexOf(name);
    const insert = label.slice(0, at + name.length);
    const isBegun = typed.length >= at && insert.startsWith(typed) && insert !== typed;
    return isBegun && at > 0 ? [{ insert, label, detail }] : [];
  });
  return values.length === 0
    ? null
    : { kind: 'mention', values, replaces: { start: 0, end: caret } };
}

/** Parses a line of the composer. Returns null if there is nothing to complete in a message. */
export function readSlash(input: ReadSlashInput): SlashLine | null {
  const { text, caret, commands } = input;
  if (!text.startsWith('/')) return readPrefixed(input) ?? readMention(input);
  const name = /^\/(\S*)/.exec(text)?.[1] ?? '';
  const nameLength = name.length + 1;
  const command = commandOf(commands, name);
  if (caret <= nameLength && text.length === nameLength) {
    const matches = matchCommands(commands, name);
    if (matches.length > 0) return { kind: 'naming', query: name, matches };
  }
  if (command === undefined)
    return { kind: 'unknown', name, nearest: nearestCommand(commands, name) };
  return readOptions(command, nameLength, input);
}
