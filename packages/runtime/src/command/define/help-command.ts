import * as z from 'zod';
import { formatHelp } from './format-help.js';
import { defineCommand, type CommandDefinition } from './define-command.js';

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
 * @param description - shown where users choose a command.
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
