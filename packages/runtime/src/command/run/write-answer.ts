import { toParts, type MessageInput } from '../answer/answer.js';
import { deliver } from './deliver.js';
import { textContext } from '../environment.js';
import type { CommandRun } from './command-run.js';

/** Writes what a handler returned as the answer. */
export function writeAnswer(result: MessageInput, run: CommandRun): Promise<unknown> {
  const parts = toParts(result);
  // Most answers are one string and take the short path. Uploads take long, so they are watched.
  return parts.files || parts.split
    ? run.waitFor(deliver('write', parts, run))
    : run.interaction.write(parts);
}

/** Returns whether a handler that returned nothing has answered; throws what a call without `await` failed with. */
export async function hasAnswered(
  result: null | undefined | void,
  run: CommandRun,
): Promise<boolean> {
  const { interaction, command, env } = run;
  if (!interaction.isSettled) await run.waitFor(interaction.settled());
  if (interaction.state === 'answered') return true;
  if (result === undefined && interaction.failure) throw interaction.failure.error;
  if (result === undefined && env.development && !command.silent) {
    env.log.warn(
      { command: command.name, file: command.file },
      `/${command.name} ended without an answer; return a string, or null for silence`,
    );
  }
  return false;
}

/** Ends a command without an answer. A thinking state gets a text: nothing else removes it. */
export async function endWithoutAnswer(run: CommandRun): Promise<void> {
  const { interaction, command, env, event, silentText } = run;
  await interaction.acknowledge();
  const { isAnswerUnknown, state } = interaction;
  const mayBeDeferred = isAnswerUnknown && !command.silent;
  if (state !== 'deferred' && !mayBeDeferred) return;
  const content = silentText ?? env.texts.silent(textContext(env, event));
  if (isAnswerUnknown) await interaction.replaceThinking(content);
  else await interaction.write({ content });
}
