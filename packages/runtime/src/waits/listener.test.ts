import { describe, expect, it } from 'vitest';
import { isEmoji } from './listener.js';

describe('isEmoji', () => {
  it.each([
    ['the emoji', { kind: 'unicode', unicodeEmoji: '✅' }, true],
    ['it, under another kind', { kind: 'standard', unicodeEmoji: '✅' }, true],
    ['it, with the mark of colour', { kind: 'unicode', unicodeEmoji: '✅\ufe0f' }, true],
    ['another emoji', { kind: 'unicode', unicodeEmoji: '❌' }, false],
    ['a custom emoji of that name', { kind: 'custom', customEmojiName: '✅' }, false],
    ['a kind that says nothing', { kind: 'new' }, false],
  ])('knows %s', (_, emoji, is) => {
    expect(isEmoji(emoji, '✅')).toBe(is);
  });
});
