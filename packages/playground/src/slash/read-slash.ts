import type { Command, CommandOption } from '@virgule/core/protocol';
import { assignWords, type GivenValue } from './assign-words.js';
import { matchCommands, nearestCommand } from './match-commands.js';
import { mentionOf } from './mentions.js';
import { checkValue, suggestValues, type Nameable, type ValueSuggestion } from './option-values.js';
import { splitWords } from './split-words.js';

/** What a line that starts with a slash is so far. */
export type SlashLine =
  /** The name is being typed. */
  | { readonly kind: 'naming'; readonly query: string; readonly matches: readonly Command[] }
  /** No command has this name. */
  | { readonly kind: 'unknown'; readonly name: string; readonly nearest: Command | null }
  /** The command is known; its options are being typed. */
  | CommandLine;

export interface CommandLine {
  readonly kind: 'command';
  readonly command: Command;
  readonly given: readonly GivenValue[];
  /** The option at the caret. */
  readonly current: CommandOption | null;
  readonly missing: readonly CommandOption[];
  /** What is wrong with a value; the bot has the last word, so it does not stop the line. */
  readonly warning: string | null;
  readonly values: readonly ValueSuggestion[];
  /** The part of the line that a suggested value replaces. */
  readonly replaces: { readonly start: number; readonly end: number };
  /** Exactly what is sent. */
  readonly rawInput: string;
}

export interface ReadSlashInput {
  readonly text: string;
  /** Where the caret stands. */
  readonly caret: number;
  readonly commands: readonly Command[];
  readonly nameable: Nameable;
}

const TAKES_MENTION = new Set(['user', 'mentionable', 'channel']);

/** The line as it is sent: names of users and channels become mentions where an option asks for one. */
function toRawInput(text: string, given: readonly GivenValue[], nameable: Nameable): string {
  let line = text;
  for (const value of given.toSorted((a, b) => b.start - a.start)) {
    if (!TAKES_MENTION.has(value.option.type) || !/^[@#]/.test(value.text)) continue;
    const mention = mentionOf(value.text, nameable);
    if (mention !== null) line = line.slice(0, value.start) + mention + line.slice(value.end);
  }
  return line.trimEnd();
}

function readOptions(command: Command, nameLength: number, input: ReadSlashInput): CommandLine {
  const { text, caret, nameable } = input;
  const { given, next, surplus } = assignWords(
    command.options,
    splitWords(text).filter((word) => word.start >= nameLength),
    text,
  );
  const atCaret = given.find((value) => value.start <= caret && caret <= value.end);
  const isOnSurplus = surplus.some((word) => word.start <= caret && caret <= word.end);
  const current = caret < nameLength || isOnSurplus ? null : (atCaret?.option ?? next);
  const typed = atCaret === undefined ? '' : text.slice(atCaret.start, caret);
  const values = current === null ? [] : suggestValues(current, typed, nameable);
  const isSettled = values.some((value) => value.insert === typed);
  const problems = given
    .filter((value) => value !== atCaret || caret < value.end)
    .map((value) => checkValue(value.option, value.text));
  const extra = surplus[0];
  return {
    kind: 'command',
    command,
    given,
    current,
    missing: command.options.filter(
      (option) => option.required && !given.some((value) => value.option === option),
    ),
    warning:
      problems.find((problem) => problem !== null) ??
      (extra === undefined ? null : `"${extra.text}" belongs to no option`),
    values: isSettled ? [] : values,
    replaces:
      atCaret === undefined
        ? { start: caret, end: caret }
        : { start: atCaret.start, end: atCaret.end },
    rawInput: toRawInput(text, given, nameable),
  };
}

/** Reads a line of the composer. Null when it does not start with a slash. */
export function readSlash(input: ReadSlashInput): SlashLine | null {
  const { text, caret, commands } = input;
  if (!text.startsWith('/')) return null;
  const name = /^\/(\S*)/.exec(text)?.[1] ?? '';
  const nameLength = name.length + 1;
  const command = commands.find((item) => item.name === name.toLowerCase());
  const isNaming = caret <= nameLength && text.length === nameLength;
  if (isNaming) {
    const matches = matchCommands(commands, name);
    if (matches.length > 0) return { kind: 'naming', query: name, matches };
  }
  if (command === undefined) {
    return { kind: 'unknown', name, nearest: nearestCommand(commands, name) };
  }
  return readOptions(command, nameLength, input);
}
