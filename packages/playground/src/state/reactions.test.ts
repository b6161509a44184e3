import { describe, expect, it } from 'vitest';
import type { ReactionSummary } from '@virgule/core/protocol';
import { emojiKey, emojiText, hasReacted, reactionMemoryKey } from './reactions.js';

const thumb = { kind: 'unicode', unicodeEmoji: '👍' };
const party = { kind: 'custom', customEmojiId: 'p1', customEmojiName: 'party' };
const where = { messageId: 'm1', userId: 'u1' };

describe('emojiKey', () => {
  it('tells emoji apart, and a custom one by its id', () => {
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
  const reaction: ReactionSummary = { emoji: thumb, count: 1, me: true };

  it('goes by what this page sent', () => {
    const key = reactionMemoryKey('m1', 'u1', thumb);
    expect(hasReacted(reaction, { ...where, memory: new Map([[key, true]]) })).toBe(true);
    expect(hasReacted(reaction, { ...where, memory: new Map([[key, false]]) })).toBe(false);
  });

  it('does not take the bot for the user', () => {
    expect(hasReacted(reaction, { ...where, memory: new Map() })).toBe(false);
  });

  it('believes a simulator that names the users', () => {
    const key = reactionMemoryKey('m1', 'u1', thumb);
    const named = { ...reaction, userIds: ['u2'] };
    expect(hasReacted(named, { ...where, memory: new Map([[key, true]]) })).toBe(false);
    expect(hasReacted(named, { ...where, userId: 'u2', memory: new Map() })).toBe(true);
  });
});
