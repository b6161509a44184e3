import type { SimMessage } from '@virgule/core/simulator-api';
import { messageText } from './message-text.js';

const DELETED = { author: '', text: 'Message deleted' } as const;

/** Returns the first field that is a non-empty string. */
function textOf(record: Readonly<Record<string, unknown>>, ...keys: readonly string[]) {
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
  return keys.map((key) => record[key]).find(isText) ?? null;
}

/**
 * Returns the preview above a reply. The Bot Interface does not specify the fields of `replyTo`, so likely names are
 * tried. A loaded message takes precedence, because it is current.
 */
export function readReply(
  message: SimMessage,
  find: (messageId: string) => SimMessage | undefined,
) {
  if (message.replyTo === null) return null;
  const messageId = textOf(message.replyTo, 'messageId', 'id');
  const original = messageId === null ? undefined : find(messageId);
  if (original !== undefined) {
    if (original.isDeleted) return { messageId, ...DELETED };
    return { messageId, author: original.authorDisplayName, text: messageText(original) };
  }
  if (message.replyTo['isDeleted'] === true) return { messageId, ...DELETED };
  return {
    messageId,
    author: textOf(message.replyTo, 'authorDisplayName', 'authorUsername') ?? '',
    text: textOf(message.replyTo, 'content') ?? 'an earlier message',
  };
}
