import type { ReactionEmoji } from '@virgule/core/protocol';
import type { SimReaction } from '@virgule/core/simulator-api';

/** Returns a key that identifies an emoji. */
export function emojiKey(emoji: ReactionEmoji): string {
  return emoji.customEmojiId === undefined
    ? `unicode ${emoji.unicodeEmoji ?? ''}`
    : `custom ${emoji.customEmojiId}`;
}

/** Returns the text of a reaction: the unicode emoji, or the name of a custom emoji between colons. */
export function emojiText(emoji: ReactionEmoji): string {
  return emoji.unicodeEmoji ?? `:${emoji.customEmojiName ?? emoji.kind}:`;
}

/** Returns whether a user reacted. `me` is the bot, not the user. */
export function hasReacted(reaction: SimReaction, userId: string): boolean {
  return reaction.userIds.includes(userId);
}
