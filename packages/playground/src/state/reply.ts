import type { SimMessage } from '@virgule/core/simulator-api';
import { messageText } from './message-text.js';

/** The fields of `replyTo` that the simulator writes; the Bot Interface does not specify them. */
interface ReplyTo extends Partial<Pick<SimMessage, 'isDeleted' | 'authorDisplayName' | 'content'>> {
  readonly messageId: string;
}

/** Returns the preview above a reply. A loaded message takes precedence, because it is current. */
export function readReply(
  { replyTo }: Pick<SimMessage, 'replyTo'>,
  find: (messageId: string) => SimMessage | undefined,
) {
  if (replyTo === null) return null;
  // The simulator that served this page has the same type.
  const { messageId, isDeleted, authorDisplayName = '', content } = replyTo as unknown as ReplyTo;
  const original = find(messageId);
  if (original?.isDeleted ?? isDeleted) return { messageId, author: '', text: 'Message deleted' };
  if (original !== undefined)
    return { messageId, author: original.authorDisplayName, text: messageText(original) };
  return { messageId, author: authorDisplayName, text: content || 'an earlier message' };
}
