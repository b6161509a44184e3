import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import type { CommandRun } from '../bot/command-run.js';
import type { MessageParts } from '../define/answer.js';
import { splitContent } from '../text/split-content.js';
import type { Written } from './interaction.js';

/** The first message that was delivered. */
export interface Delivered extends Written {
  readonly content: string;
}

/**
 * Writes the answer, or replies. Files are uploaded first, outside the interaction's chain: a defer that
 * is due meanwhile is sent. With `split`, a text that is too long continues in follow-ups, one after the
 * other; after one that fails, no other is sent.
 */
export async function deliver(
  how: 'write' | 'reply',
  parts: MessageParts,
  run: CommandRun,
): Promise<Delivered> {
  const { interaction } = run;
  const { content } = parts;
  if (parts.files || parts.split) return interaction.prepare(deliverParts(how, parts, run));
  return { ...(await interaction[how](parts)), content };
}

async function deliverParts(
  how: 'write' | 'reply',
  parts: MessageParts,
  run: CommandRun,
): Promise<Delivered> {
  const { interaction } = run;
  const { content } = parts;
  const { files, split: _, ...message } = parts;
  const texts = isLong(parts) ? splitContent(content) : [content];
  const first = texts[0] ?? content;
  const isSplit = texts.length > 1;
  const attachments = files?.length
    ? [...(message.attachments ?? []), ...(await upload(files, run))]
    : message.attachments;
  if (!isSplit)
    return { ...(await interaction[how]({ ...message, content, attachments })), content };
  const written = await interaction[how]({ ...message, content: first, attachments: undefined });
  for (const [index, text] of texts.entries()) {
    if (index === 0) continue;
    // After a stop, the final reply is the last message.
    run.signal.throwIfAborted();
    const isLast = index === texts.length - 1;
    await interaction.reply({ content: text, attachments: isLast ? attachments : undefined });
  }
  return { ...written, content: first };
}

/**
 * Shows a state of the answer that another may follow: of a text that is too long, its beginning. It is
 * tried once, and ended by the signal: its stream has a newer one for the next attempt.
 */
export async function showState(
  parts: MessageParts,
  signal: AbortSignal,
  run: CommandRun,
): Promise<void> {
  const { files, split: _, ...message } = parts;
  if (isLong(parts))
    return void (await run.interaction.write(
      { content: splitContent(parts.content)[0] ?? '', replyTo: parts.replyTo },
      { signal, isState: true },
    ));
  if (files?.length) return void (await deliver('write', parts, run));
  await run.interaction.write(message, { signal, isState: true });
}

/** Sends the part of the last state that `showState` omitted. */
export async function completeState(parts: MessageParts, run: CommandRun): Promise<void> {
  if (!isLong(parts)) return;
  const [, ...texts] = splitContent(parts.content);
  const { files, attachments } = parts;
  for (const [index, content] of texts.entries()) {
    const isLast = index === texts.length - 1;
    await deliver('reply', isLast ? { content, files, attachments } : { content }, run);
  }
}

/** Returns whether a text has to be split and may be. */
function isLong({ content, split }: MessageParts): boolean {
  return split === true && typeof content === 'string' && content.length > CONTENT_MAX_LENGTH;
}

async function upload(files: NonNullable<MessageParts['files']>, run: CommandRun) {
  const { env, event, signal } = run;
  try {
    return await env.rest.attachments.uploadAll(event.channelId, files, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
