import * as z from 'zod';
import { shownText } from '../raw-input/input-failure.js';
import { infoOf, type CommandInfo } from '../command-info.js';
import { defineCommand, type CommandDefinition } from './define-command.js';

/**
 * Returns a help text: one line for each command. With a name, returns a line for the named command and a line for each of its
 * options.
 *
 * @param name - with or without the slash.
 *
 * @example
 * ```ts
 * // commands/help.ts
 * export default defineCommand({
 *   description: 'Show what this bot can do',
 *   options: z.object({ command: z.string().optional().describe('Command to explain') }),
 *   run: ({ commands, options }) => ({ content: formatHelp(commands, options.command), split: true }),
 * });
 * ```
 */
export function formatHelp(commands: readonly CommandInfo[], name?: string): string {
  if (commands.length === 0) return 'There are no commands.';
  if (name === undefined) return commands.map(lineOf).join('\n');
  const wanted = name.trim().replace(/^\//, '').toLowerCase();
  const found = infoOf(commands, wanted);
  if (!found) {
    return `There is no command /${shownText(wanted)}. There are ${commands.map(({ name: each, usage }) => typedName(usage, each)).join(', ')}.`;
  }
  const options = found.options.map(({ name: option, description, required }) => {
    const note = required ? '' : ' (optional)';
    return description === '' ? `${option}${note}` : `${option}${note}: ${description}`;
  });
  return [lineOf(found), ...options].join('\n');
}

function lineOf({ name, usage, messageUsage, description, aliases }: CommandInfo): string {
  const own = typedName(usage, name);
  const asMessage = messageUsage !== undefined && messageUsage !== usage;
  const others = [
    ...aliases.map((alias) => own.slice(0, -name.length) + alias),
    ...(asMessage ? [typedName(messageUsage, name)] : []),
  ];
  return `${usage}: ${description}${others.length === 0 ? '' : ` (also ${others.join(', ')})`}`;
}

/** Returns the beginning of a usage line up to the name, such as `/roll`. */
const typedName = (usage: string, name: string): string =>
  usage.slice(0, usage.indexOf(name) + name.length);

const options = z.object({
  command: z.string().optional().describe('Show the details of one command'),
});

/**
 * Returns a command that lists all commands of the bot, or shows one with its options.
 *
 * @example
 * ```ts
 * // commands/help.ts -> /help
 * export default helpCommand();
 * ```
 *
 * @param description - description of the help command itself; users see it when they choose a command.
 */
export function helpCommand(
  description = 'Show what this bot can do',
): CommandDefinition<typeof options> {
  return defineCommand({
    description,
    options,
    run: ({ commands, options: { command } }) => ({
      content: formatHelp(commands, command),
      split: true,
    }),
  });
}
