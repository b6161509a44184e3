import { resolveMentions, type Mentionable, type SimBot } from '@virgule/core/simulator-api';
import { didYouMean } from '@virgule/core/text';
import type { Command } from '@virgule/runtime/project';
import { cliErrors } from './cli-errors.js';

type Commands = Iterable<Pick<Command, 'name' | 'aliases' | 'messages'>>;

/**
 * Reads a line of a user: a slash command, whose slash may be omitted, or a message with the prefix, a mention of the bot or
 * `@bot`. Returns the line to send, a slash command with its slash, and the name with its mark, such as `/roll` or `!roll`.
 * `unknown` suggests `/story-short` for `/story short`, if the line runs no command.
 */
export function readLine(
  line: string,
  commands: Commands,
  prefix: string,
  world: Mentionable & { readonly bot: Pick<SimBot, 'botUserId'> },
) {
  const mention = `<@${world.bot.botUserId}>`;
  const typed = line.startsWith('@')
    ? resolveMentions(line.replace(/^@bot /, `${mention} `), world)
    : line;
  const begin = ['/', mention, prefix].find((each) => typed.startsWith(each)) ?? '';
  const isMessage = begin !== '/' && begin !== '';
  const text = isMessage ? typed.slice(begin.length).trimStart() : typed.slice(begin.length);
  const [word = '', ...words] = text.split(/\s+/);
  const mark = isMessage ? prefix : '/';
  // The only form of each name, or that of this line.
  const forms = new Map(
    [...commands].flatMap(({ name, aliases, messages }) => {
      const sign = messages === 'only' || (messages && isMessage) ? prefix : '/';
      return [name, ...aliases].map((each) => [each, sign + each] as const);
    }),
  );
  // The user may have typed a command of a folder like a subcommand of another platform.
  const tried = [word, ...words.map((_, at) => [word, ...words.slice(0, at + 1)].join('-'))];
  const names = [...forms.keys()];
  const meant =
    tried.findLast((each) => forms.has(each)) ??
    tried.map((each) => didYouMean(each, names)).find((each) => each !== undefined);
  const name = mark + word;
  const known = [...forms.values()];
  const key = isMessage ? word.toLowerCase() : word;
  const unknown =
    forms.get(key) === mark + key
      ? undefined
      : cliErrors.E_COMMAND_UNKNOWN({ name, known, meant: meant && forms.get(meant) });
  return { isMessage, line: isMessage ? typed : `/${text}`, name, unknown };
}
