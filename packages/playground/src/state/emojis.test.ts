import { describe, expect, it } from 'vitest';
import { EMOJIS, SANDBOX, SECOND, WITHOUT_BOT } from '../../test/sample-world.js';
import { emojiKey, emojiText, findEmojis } from './emojis.js';

const world = { emojis: EMOJIS, servers: [SANDBOX, SECOND, WITHOUT_BOT], profile: null };

describe('findEmojis', () => {
  const find = (query: string) => findEmojis(query, world, SANDBOX.id);
  const names = (query: string) => find(query).map(({ name }) => name);

  it('searches unicode and custom emoji by name, those that start with it first', () => {
    expect(names('PAR')).toEqual(['Party popper', ':party:']);
    expect(names(':party')).toEqual(['Party popper', ':party:']);
    expect(names('up')).toEqual(['Thumbs up', 'Point up']);
    expect(names('nothing like it')).toEqual([]);
  });

  it('finds the custom emojis of the server first, and none of a server without the bot', () => {
    const custom = (serverId: string) =>
      findEmojis('', world, serverId)
        .filter(({ imageUrl }) => imageUrl !== null)
        .map(({ name }) => name);
    expect(custom(SANDBOX.id)).toEqual([':party:', ':wave:']);
    expect(custom(SECOND.id)).toEqual([':wave:', ':party:']);
    expect(custom(WITHOUT_BOT.id)).toEqual([':secret:', ':party:', ':wave:']);
  });

  it('shows the most common, then the custom ones', () => {
    expect(names('')[0]).toBe('Thumbs up');
    expect(names('').slice(12, 14)).toEqual([':party:', ':wave:']);
    expect(
      new Set(find('').map(({ emoji }) => emoji.unicodeEmoji ?? emoji.customEmojiId)).size,
    ).toBe(find('').length);
  });

  it('returns an emoji that was pasted, by its name if it has one here', () => {
    expect(find(' 🚀 ')).toMatchObject([{ name: 'Rocket', emoji: { unicodeEmoji: '🚀' } }]);
    for (const pasted of ['🦞', '👩🏽‍🚀', '❤️‍🔥', '🇨🇭', '3️⃣', '☎️'])
      expect(find(pasted).map(({ emoji }) => emoji.unicodeEmoji)).toEqual([pasted]);
    for (const text of ['🦞🦞 and more', '3', '#', 'é']) expect(find(text)).toEqual([]);
  });

  it('returns an emoji as a reaction contains it', () => {
    expect(find('rocket')[0]?.emoji).toEqual({ kind: 'unicode', unicodeEmoji: '🚀' });
    expect(find('wave')).toMatchObject([
      { emoji: { kind: 'custom', customEmojiName: 'wave' }, imageUrl: expect.any(String) },
      { emoji: { kind: 'unicode', unicodeEmoji: '👋' }, imageUrl: null },
    ]);
  });
});

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
