import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import type { MessageParts } from './answer.js';
import { splitContent } from '../../text/split-content.js';

/**
 * Returns a message as those that are sent for it: with `split`, a text that is too long continues in
 * further messages. The first one is the reply; the last one has the files.
 */
export function splitMessage(parts: MessageParts): readonly [MessageParts, ...MessageParts[]] {
  const { content, split, files, attachments } = parts;
  // JavaScript may pass any content, against the types.
  if (split !== true || typeof content !== 'string' || content.length <= CONTENT_MAX_LENGTH)
    return [parts];
  const [first = content, ...texts] = splitContent(content);
  const last = texts.pop();
  if (last === undefined) return [{ ...parts, content: first }];
  return [
    { ...parts, content: first, files: undefined, attachments: undefined },
    ...texts.map((text) => ({ content: text })),
    { content: last, files, attachments },
  ];
}
