import type { SimChannel, SimMessage, SimUser } from '@virgule/core/simulator-api';

export interface NewSending {
  /** A name that no message has. */
  readonly id: string;
  readonly channel: SimChannel;
  readonly user: SimUser;
  readonly content: string;
  readonly replyTo: SimMessage | null;
  readonly nowMs: number;
}

/** Returns a message that is being sent as the simulator will probably return it. */
export function sendingMessage(sending: NewSending): SimMessage {
  const { id, channel, user, content, replyTo, nowMs } = sending;
  return {
    id,
    channelId: channel.id,
    authorId: user.id,
    authorUsername: user.username,
    authorDisplayName: user.displayName,
    authorAvatarUrl: null,
    replyTo: replyTo && { messageId: replyTo.id },
    content,
    attachments: [],
    linkPreview: null,
    reactions: [],
    poll: null,
    forwardedFrom: null,
    editedAt: null,
    pinnedAt: null,
    pinnedByUserId: null,
    isDeleted: false,
    createdAt: new Date(nowMs).toISOString(),
    interactionId: null,
  };
}

/** Removes the message that arrived as `message`: its frame may come before the response, which has the id. */
export function withoutArrived(
  sending: readonly SimMessage[],
  message: SimMessage,
): readonly SimMessage[] {
  const at = sending.findIndex(
    ({ channelId, authorId, content }) =>
      channelId === message.channelId &&
      authorId === message.authorId &&
      content === message.content,
  );
  return at === -1 ? sending : sending.toSpliced(at, 1);
}
