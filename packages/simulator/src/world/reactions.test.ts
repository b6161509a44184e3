import { createFakeClock } from '@virgule/core/clock';
import { resolveProfile } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { firstBot } from './bots.js';
import { buildWorld } from './build-world.js';
import { addReaction, usableEmojis } from './reactions.js';

const newWorld = () =>
  buildWorld({
    seed: 'reactions',
    clock: createFakeClock(),
    profile: resolveProfile(),
  });

function emojiNames(serverName: string): string[] {
  const world = newWorld();
  const server = [...world.state.servers.values()].find(({ name }) => name === serverName);
  return usableEmojis(world, server?.id ?? '', firstBot(world.state).botUserId).map(
    ({ name }) => name,
  );
}

describe('usableEmojis', () => {
  it.each([
    ['Sandbox', ['party', 'ok', 'wave']],
    ['Second', ['wave', 'party', 'ok']],
    ['Elsewhere', ['secret', 'party', 'ok', 'wave']],
  ])('lists for %s its own first, then those from where the bot is installed', (server, names) => {
    expect(emojiNames(server)).toEqual(names);
  });
});

describe('addReaction', () => {
  it('takes no emoji of a server where the bot is not installed', () => {
    const world = newWorld();
    const secret = [...world.state.emojis.values()].find(({ name }) => name === 'secret');
    const [message] = world.state.messages.values();
    if (message === undefined || secret === undefined) throw new Error('the seed lacks something');
    const choice = { unicodeEmoji: null, customEmojiId: secret.id };
    expect(() => addReaction(world, message, message.authorId, choice)).toThrow(
      'cannot be used in this server',
    );
  });
});
