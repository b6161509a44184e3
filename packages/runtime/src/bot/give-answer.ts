import { toParts, type Answer } from '../define/answer.js';
import type { Interaction } from '../interaction/interaction.js';
import type { Command } from '../load/project.js';
import type { CommandEnvironment } from './command-environment.js';

/** Brings what a handler gave to the one visible outcome: an answer, or a silence that was chosen. */
export async function giveAnswer(
  result: Answer,
  interaction: Interaction,
  command: Command,
  env: CommandEnvironment,
): Promise<void> {
  if (result !== undefined && result !== null) {
    await interaction.write(toParts(result));
    return;
  }
  // A reply that was not awaited counts too: it answers, or it is why there is no answer.
  await interaction.idle();
  if (interaction.state === 'answered') return;
  if (result === undefined && interaction.failure) throw interaction.failure.error;
  if (result === undefined && env.development && !command.silent) {
    env.log.warn(
      { command: command.name, file: command.file },
      `/${command.name} ended without an answer. Return a text, or null if silence is meant.`,
    );
  }
  await interaction.acknowledge();
  if (interaction.state === 'deferred') await interaction.write({ content: env.silentText });
}
