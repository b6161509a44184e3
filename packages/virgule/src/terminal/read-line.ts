import type { VirguleError } from '@virgule/core/errors';
import type { SimBot } from '@virgule/core/simulator-api';
import { didYouMean } from '@virgule/core/text';
import type { Command } from '@virgule/runtime/project';
import { cliErrors } from './cli-errors.js';

/** A line as a user types it. */
export interface TypedLine {
  /** `true` for a message with the prefix or a mention of the bot. */
  readonly isMessage: boolean;
  /** The line to send; a slash command with its slash. */
  readonly line: string;
  /** Name of the command with its mark, such as `/roll` or `!roll`. */
  readonly name: string;
  /** `E_COMMAND_UNKNOWN`, which suggests `/story-short` for `/story short`, if the line runs no command. */
  readonly unknown: VirguleError | undefined;
}

type Commands = Iterable<Pick<Command, 'name' | 'aliases' | 'messages'>>;

/**
 * Reads a line of a user: a slash command, whose slash may be omitted, or a message with the prefix or a mention of the bot,
 * such as `@bot`.
 */
export function readLine(
  line: string,
  commands: Commands,
  prefix: string,
  { botUserId, username, displayName }: Pick<SimBot, 'botUserId' | 'username' | 'displayName'>,
): TypedLine {
  const mentions = [`<@${botUserId}>`, `@${username} `, `@${displayName} `, '@bot '];
  const begin = ['/', ...mentions, prefix].find((each) => line.startsWith(each)) ?? '';
  const isMessage = begin !== '/' && begin !== '';
  const text = isMessage ? line.slice(begin.length).trimStart() : line.slice(begin.length);
  const [word = '', ...words] = text.split(/\s+/);
  const mark = isMessage ? prefix : '/';
  const forms = new Map(
    [...commands].flatMap(({ name, aliases, messages }) =>
      [name, ...aliases].map((each) => {
        const slash = messages === 'only' ? [] : [`/${each}`];
        return [each, messages ? [...slash, prefix + each] : slash] as const;
      }),
    ),
  );
  const name = mark + word;
  const isKnown = forms.get(isMessage ? word.toLowerCase() : word)?.includes(name.toLowerCase());
  const names = [...forms.keys()];
  // The user may have typed a command of a folder like a subcommand of another platform.
  const joined = words.map((_, index) => [word, ...words.slice(0, index + 1)].join('-'));
  const meant =
    [word, ...joined].findLast((each) => forms.has(each)) ??
    [word, ...joined].map((each) => didYouMean(each, names)).find((each) => each !== undefined);
  const found = forms.get(meant ?? '');
  const details = {
    name,
    known: [...forms.values()].flat(),
    meant: found?.find((form) => form.startsWith(mark)) ?? found?.[0],
  };
  const unknown = isKnown ? undefined : cliErrors.E_COMMAND_UNKNOWN(details);
  const written = isMessage ? line.replace(/^@bot /, `@${username} `) : `/${text}`;
  return { isMessage, line: written, name, unknown };
}
