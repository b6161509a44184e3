import type {
  Message,
  MessageReactionDetails,
  MessageReactionUpdate,
  ReactionSummary,
} from '@virgule/core/protocol';
import type { SimMessage } from '@virgule/core/simulator-api';
import { isoTime } from './iso-time.js';
import { reactionEmoji } from './reaction-emoji.js';
import type { MessageRecord, ReactionRecord } from './state.js';
import type { World } from './world.js';

/** A message as the interface writes it (MessageDto), seen by the bot. */
export function messageView(world: World, message: MessageRecord): Message {
  const author = world.state.users.get(message.authorId);
  return {
    id: message.id,
    channelId: message.channelId,
    authorId: message.authorId,
    authorUsername: author?.username ?? '',
    authorDisplayName: author?.displayName ?? '',
    authorAvatarUrl: null,
    replyTo: replyView(world, message.replyToMessageId),
    content: message.content,
    // No `url`: the interface has one asked for when it is needed (behaviour rule 14).
    attachments: message.attachments.map(({ id, fileName, contentType, sizeBytes }) => ({
      id,
      fileName,
      contentType,
      size: sizeBytes,
    })),
    linkPreview: null,
    reactions: message.reactions.map((reaction) => reactionSummary(world, reaction)),
    poll: null,
    forwardedFrom: null,
    editedAt: message.editedAtMs === null ? null : isoTime(message.editedAtMs),
    pinnedAt: null,
    pinnedByUserId: null,
    isDeleted: message.isDeleted,
    createdAt: isoTime(message.createdAtMs),
  };
}

/** The inner fields of replyTo are not shown; these are assumed. */
function replyView(world: World, messageId: string | null): Message['replyTo'] {
  if (messageId === null) return null;
  const target = world.state.messages.get(messageId);
  if (target === undefined || target.isDeleted) return { messageId, isDeleted: true };
  const author = world.state.users.get(target.authorId);
  return {
    messageId,
    isDeleted: false,
    authorId: target.authorId,
    authorUsername: author?.username ?? '',
    authorDisplayName: author?.displayName ?? '',
    content: target.content,
  };
}

/**
 * A message as the page shows it: what was deleted is empty, files have an address of this origin,
 * and reactions tell who gave them.
 */
export function simMessage(world: World, message: MessageRecord): SimMessage {
  const view = messageView(world, message);
  if (message.isDeleted) {
    return {
      ...view,
      content: '',
      attachments: [],
      reactions: [],
      interactionId: message.interactionId,
    };
  }
  // The view is nobody else's yet; a copy of it would cost more than to make it.
  return Object.assign(view, {
    attachments: view.attachments.map((attachment) => ({
      ...attachment,
      url: `/_sim/attachments/${attachment.id}`,
    })),
    reactions: message.reactions.map((reaction) => ({
      ...reactionSummary(world, reaction),
      userIds: reaction.userIds,
    })),
    interactionId: message.interactionId,
  });
}

function reactionSummary(world: World, { emoji, userIds }: ReactionRecord): ReactionSummary {
  return {
    emoji: reactionEmoji(emoji, world.profile.unicodeEmojiKind),
    count: userIds.length,
    me: userIds.includes(world.state.bot.botUserId),
  };
}

/** MessageReactionUpdateDto. */
export function reactionUpdateView(
  world: World,
  message: MessageRecord,
  reactions: readonly ReactionRecord[] = message.reactions,
): MessageReactionUpdate {
  return {
    channelId: message.channelId,
    messageId: message.id,
    reactions: reactions.map((reaction) => reactionSummary(world, reaction)),
  };
}

/** MessageReactionDetailsDto. */
export function reactionDetailsView(
  world: World,
  message: MessageRecord,
  reactions: readonly ReactionRecord[],
): MessageReactionDetails {
  return {
    channelId: message.channelId,
    messageId: message.id,
    reactions: reactions.map(({ emoji, userIds }) => ({
      emoji: reactionEmoji(emoji, world.profile.unicodeEmojiKind),
      users: userIds.flatMap((id) => {
        const user = world.state.users.get(id);
        return user ? [{ id, username: user.username, displayName: user.displayName }] : [];
      }),
    })),
  };
}
