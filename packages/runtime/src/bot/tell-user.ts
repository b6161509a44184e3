import { isVirguleError } from '@virgule/core/errors';
import type { CommandContext } from '../context/command-context.js';
import { toParts } from '../define/answer.js';
import type { Interaction } from '../interaction/interaction.js';
import type { Command } from '../load/project.js';
import { giveAnswer } from './give-answer.js';
import type { CommandEnvironment } from './command-environment.js';

/** Shows an error to the user unless the answer is there already, in the words of the nearest `_error.ts` that has some. */
export async function tellUser(
  error: unknown,
  command: Command,
  context: CommandContext | undefined,
  interaction: Interaction,
  env: CommandEnvironment,
  silenceHandler: () => void,
): Promise<void> {
  if (context) {
    for (const handler of command.errorHandlers) {
      try {
        const text = await handler(error, context);
        if (text === undefined) continue;
        silenceHandler();
        if (text === null) await giveAnswer(null, interaction, command, env);
        else await interaction.reply(toParts(text));
        return;
      } catch (thrown) {
        if (isVirguleError(thrown, 'E_INTERACTION_EXPIRED')) throw thrown;
        // One that fails has no words: the next outer one is asked.
        env.log.error(
          { command: command.name, file: command.file, err: thrown },
          `An error handler of /${command.name} failed: ${textOf(thrown)}`,
        );
      }
    }
  }
  silenceHandler();
  if (isVirguleError(error, 'E_INTERACTION_EXPIRED')) return;
  await interaction.idle();
  if (interaction.state !== 'answered')
    await interaction.write({ content: errorText(error, env.development) });
  else if (env.development) await interaction.reply({ content: errorText(error, true) });
}

export const textOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

function errorText(error: unknown, development: boolean): string {
  if (isVirguleError(error, 'E_COMMAND_TIMEOUT'))
    return 'This took too long. Please try again later.';
  if (isVirguleError(error, 'E_HANDLER_STOPPED'))
    return 'The bot is restarting. Please try again in a moment.';
  if (!development) return 'Something went wrong.';
  const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `Something went wrong. ${cause}`.slice(0, 500);
}
