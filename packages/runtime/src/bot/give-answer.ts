import { toParts, type Answer } from '../define/answer.js';
import { deliver } from '../interaction/deliver.js';
import type { CommandRun } from './command-run.js';

/** Brings what a handler gave to the one visible outcome: an answer, or a silence that was chosen. */
export function giveAnswer(result: Answer, run: CommandRun): Promise<unknown> {
  if (result === undefined || result === null) return giveSilence(result, run);
  const parts = toParts(result);
  // Most answers are one text: they go the short way. Uploads take long, so they are watched over.
  return parts.files || parts.split
    ? run.waitFor(deliver('write', parts, run))
    : run.interaction.write(parts, { wantsMessage: false });
}

async function giveSilence(result: null | undefined | void, run: CommandRun): Promise<void> {
  const { interaction, command, env } = run;
  // A reply that was not awaited counts too: it answers, or it is why there is no answer.
  if (!interaction.isSettled) await run.waitFor(interaction.settled());
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
