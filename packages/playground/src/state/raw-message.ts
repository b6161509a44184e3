import type { Message } from '@virgule/core/protocol';
import type { SimMessage } from '@virgule/core/simulator-api';

/** Returns a message as the bot reads it (MessageDto): without what only the page receives. */
export function rawMessage(message: SimMessage): Message {
  const { interactionId: _, ...view } = message;
  return {
    ...view,
    attachments: message.attachments.map(({ url: _url, ...attachment }) => attachment),
    reactions: message.reactions.map(({ userIds: _userIds, ...reaction }) => reaction),
  };
}
