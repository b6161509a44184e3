import type {
  Message,
  MessageReactionDetails,
  MessageReactionUpdate,
} from '@virgule/core/protocol';
import type { SimMessage } from '@virgule/core/simulator-api';
import { firstBot } from './bots.js';
import { reactionEmoji } from './reaction-emoji.js';
import type { MessageRecord, ReactionRecord, UserRecord } from './state.js';
import type { World } from './world.js';

/** The author of messages whose user was deleted. */
const DELETED_USER = { username: 'deleted-user', displayName: 'Deleted user' };

/** An unknown field, for profiles that send one. */
export const UNKNOWN_FIELDS = { simUnknownField: { nested: [1, 'two', null] } } as const;

/** Returns a message in the form for a bot (MessageDto). */
export function messageView(world: World, message: MessageRecord, botUserId: string): Message {
  const author = world.state.users.get(message.authorId) ?? DELETED_USER;
  return {
    id: message.id,
    channelId: message.channelId,
    authorId: message.authorId,
    authorUsername: author.username,
    authorDisplayName: author.displayName,
    authorAvatarUrl: null,
    replyTo: replyView(world, message.replyToMessageId),
    content: message.content,
    // Omits `url`: clients request a URL on demand (rule 14).
    attachments: message.attachments.map(({ id, fileName, contentType, sizeBytes }) => ({
      id,
      fileName,
      contentType,
      size: sizeBytes,
    })),
    linkPreview: null,
    reactions: message.reactions.map((reaction) => reactionSummary(world, reaction, botUserId)),
    poll: null,
    forwardedFrom: null,
    editedAt: message.editedAt,
    pinnedAt: null,
    pinnedByUserId: null,
    isDeleted: message.isDeleted,
    createdAt: message.createdAt,
  };
}

/** Returns `replyTo`, whose fields are assumed. */
function replyView(world: World, messageId: string | null): Message['replyTo'] {
  if (messageId === null) return null;
  const target = world.state.messages.get(messageId);
  if (target === undefined || target.isDeleted) return { messageId, isDeleted: true };
  const author = world.state.users.get(target.authorId) ?? DELETED_USER;
  return {
    messageId,
    isDeleted: false,
    authorId: target.authorId,
    authorUsername: author.username,
    authorDisplayName: author.displayName,
    content: target.content,
  };
}

/** Returns a message in the form for the page: empty if deleted, with URLs of files and users of reactions. */
export function simMessage(world: World, message: MessageRecord): SimMessage {
  const { botUserId } = firstBot(world.state);
  const view = messageView(world, message, botUserId);
  const { interactionId, failure } = message;
  if (message.isDeleted)
    return { ...view, content: '', attachments: [], reactions: [], interactionId };
  // Modifies the view, which has no other reader yet: a copy would cost more than its creation.
  return Object.assign(view, {
    attachments: view.attachments.map((attachment) => ({
      ...attachment,
      url: `/_sim/file?id=${attachment.id}`,
    })),
    reactions: message.reactions.map((reaction) => ({
      ...reactionSummary(world, reaction, botUserId),
      userIds: reaction.userIds,
    })),
    interactionId,
    failure,
  });
}

function reactionSummary(world: World, { emoji, userIds }: ReactionRecord, botUserId: string) {
  return {
    emoji: reactionEmoji(emoji, world.profile.unicodeEmojiKind),
    count: userIds.length,
    me: userIds.includes(botUserId),
  };
}

/** Returns the reactions of a message (MessageReactionUpdateDto). */
export function reactionUpdateView(
  { world, caller }: { readonly world: World; readonly caller: UserRecord },
  { channelId, id: messageId, ...message }: MessageRecord,
  reactions: readonly ReactionRecord[] = message.reactions,
): MessageReactionUpdate {
  const summaries = reactions.map((reaction) => reactionSummary(world, reaction, caller.id));
  return { channelId, messageId, reactions: summaries };
}

/** Returns the reactions of a message with their users (MessageReactionDetailsDto). */
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
