import type { ReactionEmoji } from '@virgule/core/protocol';
import type { EmojiKey } from './state.js';

/** Whether two keys stand for one emoji; a renamed custom emoji stays the same. */
export function emojiKeyEquals(a: EmojiKey, b: EmojiKey): boolean {
  return a.unicodeEmoji === b.unicodeEmoji && a.customEmojiId === b.customEmojiId;
}

/** The emoji as the interface writes it ("Payload shapes"); the unicode form is assumed. */
export function reactionEmoji(emoji: EmojiKey, unicodeKind: string): ReactionEmoji {
  if (emoji.customEmojiId === null) {
    return { kind: unicodeKind, unicodeEmoji: emoji.unicodeEmoji ?? '' };
  }
  return {
    kind: 'custom',
    customEmojiId: emoji.customEmojiId,
    customEmojiName: emoji.customEmojiName ?? '',
  };
}

const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;

/** Whether a text is one emoji, near enough: it shows a picture, a flag or a keycap, and little else. */
export function looksLikeEmoji(text: string): boolean {
  return text.length <= 32 && PICTURE.test(text) && !/[a-z\s]/i.test(text);
}
