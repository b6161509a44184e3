import { describe, expect, it } from 'vitest';
import type { SimReaction } from '@virgule/core/simulator-api';
import { emojiKey, emojiText, hasReacted } from './reactions.js';

const thumb = { kind: 'unicode', unicodeEmoji: '👍' };
const party = { kind: 'custom', customEmojiId: 'p1', customEmojiName: 'party' };

describe('emojiKey', () => {
  it('distinguishes emoji, and custom ones by their id', () => {
    expect(emojiKey(thumb)).not.toBe(emojiKey(party));
    expect(emojiKey({ ...party, customEmojiName: 'renamed' })).toBe(emojiKey(party));
  });
});

describe('emojiText', () => {
  it('shows the emoji, the name of a custom one, or its kind', () => {
    expect([thumb, party, { kind: 'new' }].map(emojiText)).toEqual(['👍', ':party:', ':new:']);
  });
});

describe('hasReacted', () => {
  const reaction: SimReaction = { emoji: thumb, count: 2, me: true, userIds: ['bot', 'u1'] };

  it('counts the users who added the reaction', () => {
    expect(hasReacted(reaction, 'u1')).toBe(true);
    expect(hasReacted({ ...reaction, userIds: ['bot'] }, 'u1')).toBe(false);
  });

  it('does not take the bot for the user', () => {
    expect(hasReacted(reaction, 'u2')).toBe(false);
  });
});
