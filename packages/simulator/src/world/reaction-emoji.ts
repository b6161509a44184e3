import type { ReactionEmoji } from '@virgule/core/protocol';
import type { EmojiKey } from './state.js';

/** Returns whether two keys are the same emoji; the name of a custom emoji is ignored. */
export const emojiKeyEquals = (a: EmojiKey, b: EmojiKey): boolean =>
  a.unicodeEmoji === b.unicodeEmoji && a.customEmojiId === b.customEmojiId;

/** Returns an emoji in the form for the bot ("Payload shapes"); the unicode form is assumed. */
export function reactionEmoji(emoji: EmojiKey, unicodeKind: string): ReactionEmoji {
  if (emoji.customEmojiId === null)
    return { kind: unicodeKind, unicodeEmoji: emoji.unicodeEmoji ?? '' };
  return {
    kind: 'custom',
    customEmojiId: emoji.customEmojiId,
    customEmojiName: emoji.customEmojiName ?? '',
  };
}

const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;

/** Returns whether a string is approximately one emoji: short, with a pictograph, a flag or a keycap, without letters. */
export const looksLikeEmoji = (text: string): boolean =>
  text.length <= 32 && PICTURE.test(text) && !/[a-z\s]/i.test(text);
