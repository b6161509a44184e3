import { describe, expect, it } from 'vitest';
import { emojiKeyEquals, looksLikeEmoji, reactionEmoji } from './reaction-emoji.js';

describe('looksLikeEmoji', () => {
  it.each(['👍', '👍🏽', '❤️', '❤', 'ℹ️', '🇩🇪', '👨‍👩‍👧‍👦', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏳️‍🌈'])('takes %s', (text) => {
    expect(looksLikeEmoji(text)).toBe(true);
  });

  it.each(['', 'a', '1', '#', ' ', 'yes 👍', '👍 👍', ':thumbsup:', '👍'.repeat(20)])(
    'refuses %j',
    (text) => {
      expect(looksLikeEmoji(text)).toBe(false);
    },
  );
});

describe('emojiKeyEquals', () => {
  const thumb = { unicodeEmoji: '👍', customEmojiId: null, customEmojiName: null };
  const party = { unicodeEmoji: null, customEmojiId: 'p', customEmojiName: 'party' };

  it('compares the emoji, not its name', () => {
    expect(emojiKeyEquals(party, { ...party, customEmojiName: 'renamed' })).toBe(true);
    expect(emojiKeyEquals(thumb, { ...thumb })).toBe(true);
    expect(emojiKeyEquals(thumb, party)).toBe(false);
    expect(emojiKeyEquals(thumb, { ...thumb, unicodeEmoji: '👎' })).toBe(false);
  });

  it('is written with one kind or the other', () => {
    expect(reactionEmoji(thumb, 'unicode')).toEqual({ kind: 'unicode', unicodeEmoji: '👍' });
    expect(reactionEmoji(party, 'unicode')).toEqual({
      kind: 'custom',
      customEmojiId: 'p',
      customEmojiName: 'party',
    });
  });
});
