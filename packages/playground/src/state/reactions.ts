import type { ReactionEmoji, ReactionSummary } from '@virgule/core/protocol';

/** Names an emoji in one word, for keys and comparisons. */
export function emojiKey(emoji: ReactionEmoji): string {
  return emoji.customEmojiId === undefined
    ? `unicode ${emoji.unicodeEmoji ?? ''}`
    : `custom ${emoji.customEmojiId}`;
}

/** What a reaction shows: the emoji itself, or the name of a custom one between colons. */
export function emojiText(emoji: ReactionEmoji): string {
  return emoji.unicodeEmoji ?? `:${emoji.customEmojiName ?? emoji.kind}:`;
}

/**
 * Who gave which reaction, as far as this page knows: it remembers what it sent. Keys are message,
 * user and emoji; see `reactionMemoryKey`.
 */
export type ReactionMemory = ReadonlyMap<string, boolean>;

export function reactionMemoryKey(messageId: string, userId: string, emoji: ReactionEmoji): string {
  return `${messageId} ${userId} ${emojiKey(emoji)}`;
}

function listedUsers(reaction: ReactionSummary): readonly unknown[] | undefined {
  const ids: unknown = Reflect.get(reaction, 'userIds');
  return Array.isArray(ids) ? ids : undefined;
}

/**
 * Whether a user gave a reaction. The summary counts without naming; a simulator that adds
 * `userIds` to it is believed, else the page goes by what it sent itself.
 */
export function hasReacted(
  reaction: ReactionSummary,
  context: { readonly messageId: string; readonly userId: string; readonly memory: ReactionMemory },
): boolean {
  const users = listedUsers(reaction);
  if (users !== undefined) return users.includes(context.userId);
  const key = reactionMemoryKey(context.messageId, context.userId, reaction.emoji);
  return context.memory.get(key) ?? false;
}
