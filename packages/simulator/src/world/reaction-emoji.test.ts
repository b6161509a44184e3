import { describe, expect, it } from 'vitest';
import { looksLikeEmoji } from './reaction-emoji.js';

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
