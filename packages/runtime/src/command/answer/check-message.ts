import type { Log } from '@virgule/core/log';
import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import { didYouMean } from '@virgule/core/text';
import { isFirst } from '../is-first.js';
import type { MessageParts } from './answer.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';

const KNOWN: readonly string[] = [
  'content',
  'files',
  'attachments',
  'replyTo',
  'split',
] satisfies (keyof MessageParts)[];

/**
 * Checks a message of a command. JavaScript may pass anything, against the types.
 *
 * @throws VirguleError `E_ANSWER_INVALID`.
 */
export function checkMessage(parts: MessageParts, commandName: string, log: Log): void {
  const { content, attachments } = parts;
  if (typeof content !== 'string')
    throw runtimeErrors.E_ANSWER_INVALID({ kind: 'type', commandName, saw: typeof content });
  const isMissing = content.length === 0 && !attachments?.length;
  if (isMissing || content.length > CONTENT_MAX_LENGTH)
    throw runtimeErrors.E_ANSWER_INVALID({
      kind: 'length',
      owner: `/${commandName}`,
      length: content.length,
    });
  warnUnsupported(parts, commandName, log);
}

/**
 * Warns once for each source and key of a message that the platform does not support, such as `embeds`
 * and `ephemeral`. The types refuse most of them, but JavaScript may pass them (Bot Interface, "What the
 * service does").
 *
 * @param commandName - the command that answers; none for a message to a channel.
 */
export function warnUnsupported(
  parts: MessageParts,
  commandName: string | undefined,
  log: Log,
): void {
  for (const key in parts) {
    if (KNOWN.includes(key)) continue;
    const source = commandName === undefined ? 'send() was called' : `/${commandName} answers`;
    const start = `${source} with "${key}"`;
    if (!isFirst(log, start)) continue;
    const meant = didYouMean(key, KNOWN);
    const hint = meant ? `; did you mean "${meant}"?` : '; it is not sent';
    log.warn(
      { command: commandName, key },
      `${start}, which the platform does not support${key === 'ephemeral' ? ': all members see the answer' : hint}`,
    );
  }
}
