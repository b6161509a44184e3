import { sampleMessage, type SimMessage } from '@virgule/core/simulator-api';
import type { WrittenMessage, Writer } from '../app/actions.js';

/**
 * Returns a message that is being sent, in the probable form of the response of the simulator.
 *
 * @param id - an id that no message has
 */
export const sendingMessage = (
  id: string,
  { channel, user }: Writer,
  { content, replyTo, files = [] }: WrittenMessage,
  nowMs: number,
): SimMessage => ({
  ...sampleMessage(id, user.id, user, nowMs),
  channelId: channel.id,
  replyTo: replyTo && { messageId: replyTo.id },
  content,
  attachments: files.map(({ name, source }) => ({
    id: name,
    fileName: name,
    size: source.size,
    contentType: source.type,
  })),
  interactionId: null,
});

/** Removes the sent message that arrived as `message`: the event may come before the response with the id. */
export function withoutArrived(sending: readonly SimMessage[], message: SimMessage) {
  const at = sending.findIndex(
    ({ channelId, authorId, content }) =>
      channelId === message.channelId &&
      authorId === message.authorId &&
      content === message.content,
  );
  return at === -1 ? sending : sending.toSpliced(at, 1);
}
