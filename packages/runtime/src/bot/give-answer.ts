import { toParts, type Answer } from '../define/answer.js';
import type { CommandRun } from './command-run.js';

/** Brings what a handler gave to the one visible outcome: an answer, or a silence that was chosen. */
export function giveAnswer(result: Answer, run: CommandRun): Promise<unknown> {
  return result === undefined || result === null
    ? giveSilence(result, run)
    : run.interaction.write(toParts(result));
}

async function giveSilence(result: null | undefined | void, run: CommandRun): Promise<void> {
  const { interaction, command, env } = run;
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
  if (interaction.state === 'deferred') await interaction.write({ content: env.texts.silent });
}
