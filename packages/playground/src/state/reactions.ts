import type { ReactionEmoji } from '@virgule/core/protocol';
import type { SimReaction } from '@virgule/core/simulator-api';

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

/** Whether a user gave a reaction. `me` does not tell: it is the bot. */
export function hasReacted(reaction: SimReaction, userId: string): boolean {
  return reaction.userIds.includes(userId);
}
