import { splitMessage, type MessageParts } from '../answer/answer.js';
import type { CommandRun } from './command-run.js';
import type { Written } from '../answer/sent-message.js';

/** Returns whether a handler that returned nothing has answered. Throws the error of a call that was not awaited. */
export async function hasAnswered(result: null | undefined | void, run: CommandRun) {
  const { interaction, command, env } = run;
  if (!interaction.messages.isSettled) await run.waitFor(interaction.messages.settled());
  if (interaction.state === 'answered') return true;
  if (result === undefined && interaction.failure) throw interaction.failure.error;
  if (result === undefined && env.development && !command.silent) {
    const message = `/${command.name} ended without an answer; return a string, or null for silence`;
    interaction.note('warn', { file: command.file }, message);
  }
  return false;
}

/** Ends a command without an answer. A thinking state is replaced by a text: nothing else removes it. */
export async function endWithoutAnswer(run: CommandRun): Promise<void> {
  const { interaction, command, env, event, silentText } = run;
  await interaction.acknowledge();
  const { state } = interaction;
  const isDeferred = state === 'deferred' || state === 'reopened';
  const mayBeDeferred = state === 'shared' && !command.silent;
  if (!isDeferred && !mayBeDeferred) return;
  const content = silentText ?? env.texts.silent(event);
  if (isDeferred) await interaction.write({ content });
  else await interaction.replaceThinking(content);
}

/**
 * Writes the answer, or replies, and returns the first message. Files are uploaded first, without the lock of the interaction,
 * so that a defer can be sent during the upload. With `split`, a text of more than 2000 characters continues in follow-ups, one
 * after the other; after a failed follow-up, no further one is sent.
 */
export function deliver(how: 'write' | 'reply', parts: MessageParts, run: CommandRun) {
  const { interaction } = run;
  if (parts.files || parts.split)
    return interaction.messages.prepare(deliverParts(how, parts, run));
  return interaction[how](parts);
}

async function deliverParts(
  how: 'write' | 'reply',
  { files, ...parts }: MessageParts,
  run: CommandRun,
): Promise<Written> {
  const { interaction, env, event, init, lifetime } = run;
  let { attachments } = parts;
  if (files && !init.around) {
    const { signal } = lifetime;
    const uploading = env.rest.attachments.uploadAll(event.channelId, files, { signal });
    const uploaded = await uploading.catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error;
    });
    attachments = [...(attachments ?? []), ...uploaded];
  }
  const [first, ...others] = splitMessage({ ...parts, attachments, ...(init.around && { files }) });
  const written = await interaction[how](first);
  for (const message of others) {
    // After a stop, the final reply is the last message.
    lifetime.signal.throwIfAborted();
    await interaction.reply(message);
  }
  return written;
}

/** Shows an intermediate state, or the beginning of a long text with `split`. Tried once: the stream has a newer state by then. */
export async function showState(parts: MessageParts, signal: AbortSignal, run: CommandRun) {
  const [first, ...others] = splitMessage(parts);
  if (others.length === 0 && parts.files) await deliver('write', parts, run);
  else await run.interaction.write(first, { signal, isState: true });
}
