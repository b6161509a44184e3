import type { Message } from '@virgule/core/protocol';
import type { SimMessage } from '@virgule/core/simulator-api';

/** Returns a message in the form for the bot (MessageDto), without the fields for the page. */
export function rawMessage(message: SimMessage): Message {
  const { interactionId: _, ...view } = message;
  return {
    ...view,
    attachments: message.attachments.map(({ url: _url, ...attachment }) => attachment),
    reactions: message.reactions.map(({ userIds: _userIds, ...reaction }) => reaction),
  };
}
