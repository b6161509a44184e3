import {
  customEmojiSchema,
  messageReactionDetailsSchema,
  messageReactionUpdateSchema,
  type ReactionMutationRequest,
} from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { openPlatform, refusalOf, type Platform } from './open-platform.js';

const unicode = (unicodeEmoji: string): ReactionMutationRequest => ({
  unicodeEmoji,
  customEmojiId: null,
});
const custom = (customEmojiId: string): ReactionMutationRequest => ({
  unicodeEmoji: null,
  customEmojiId,
});

async function emojiId(platform: Platform, name: string, server = 'Sandbox'): Promise<string> {
  const reply = await platform.call('servers.emojis', { serverId: platform.serverId(server) });
  const emojis = customEmojiSchema.array().parse(reply.body);
  return emojis.find((emoji) => emoji.name === name)?.id ?? 'none';
}

function newMessage(platform: Platform) {
  const { channelId, id } = platform.simulator.sendMessage({ content: 'React to me' });
  return { channelId, messageId: id };
}

/** Adds or removes a reaction of a user, like the page. */
function react(
  platform: Platform,
  as: string,
  { messageId: message }: { readonly messageId: string },
  choice: { readonly emoji: string; readonly remove?: boolean },
) {
  return platform.act('react', { message, as, ...choice });
}

describe('reactions', () => {
  it('counts the users, reports whether the bot reacted, and sends an event', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    const message = newMessage(platform);
    await react(platform, 'grace', message, { emoji: '🎲' });
    const reply = await platform.call('reactions.add', message, { body: unicode('🎲') });
    expect(messageReactionUpdateSchema.parse(reply.body)).toEqual({
      ...message,
      reactions: [{ emoji: { kind: 'unicode', unicodeEmoji: '🎲' }, count: 2, me: true }],
    });
    const shared = {
      ...message,
      serverId: platform.serverId('Sandbox'),
      emoji: { kind: 'unicode', unicodeEmoji: '🎲' },
    };
    expect(await bot.event('MESSAGE_REACTION_ADD')).toEqual({
      ...shared,
      userId: platform.userId('grace'),
      count: 1,
    });
    expect(await bot.event('MESSAGE_REACTION_ADD')).toEqual({
      ...shared,
      userId: platform.userId('demo-bot'),
      count: 2,
    });
  });

  it('goes to the last message where the bot offers the emoji, else to the last message', async () => {
    const platform = await openPlatform();
    await platform.connect();
    const question = newMessage(platform);
    await platform.call('reactions.add', question, { body: unicode('✅') });
    const last = newMessage(platform);
    for (const emoji of ['✅', '🎲']) await platform.act('react', { emoji, as: 'grace' });
    const reactedTo = ({ messageId }: typeof last) =>
      platform.simulator
        .message(messageId)
        ?.reactions.map(({ emoji, userIds }) => [emoji.unicodeEmoji, userIds.length]);
    expect([reactedTo(question), reactedTo(last)]).toEqual([[['✅', 2]], [['🎲', 1]]]);
  });

  it('says that a user has already reacted', async () => {
    const platform = await openPlatform();
    const message = newMessage(platform);
    await react(platform, 'grace', message, { emoji: '🎲' });
    const { body } = await react(platform, 'grace', message, { emoji: '🎲' });
    expect(body).toMatchObject({
      received: false,
      note: expect.stringContaining('Nothing changed'),
    });
  });

  it('changes nothing and sends no event when a reaction is added or removed twice', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect({ intents: ['MESSAGE_REACTIONS'] });
    const message = newMessage(platform);
    for (const name of ['reactions.add', 'reactions.remove'] as const) {
      await platform.call(name, message, { body: unicode('👍') });
      expect((await platform.call(name, message, { body: unicode('👍') })).status).toBe(200);
    }
    expect(await bot.eventNames()).toEqual(['MESSAGE_REACTION_ADD', 'MESSAGE_REACTION_REMOVE']);
    expect(platform.lastMessage().reactions).toEqual([]);
  });

  it('takes custom emojis of the server and of other servers where the bot is installed', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    const message = newMessage(platform);
    const party = await emojiId(platform, 'party');
    const wave = await emojiId(platform, 'wave');
    await platform.call('reactions.add', message, { body: custom(party) });
    const reply = await platform.call('reactions.add', message, { body: custom(wave) });
    expect(messageReactionUpdateSchema.parse(reply.body).reactions).toEqual([
      {
        emoji: { kind: 'custom', customEmojiId: party, customEmojiName: 'party' },
        count: 1,
        me: true,
      },
      {
        emoji: { kind: 'custom', customEmojiId: wave, customEmojiName: 'wave' },
        count: 1,
        me: true,
      },
    ]);
    expect(await bot.event('MESSAGE_REACTION_ADD')).toMatchObject({
      emoji: { kind: 'custom', customEmojiId: party, customEmojiName: 'party' },
      count: 1,
    });
  });

  it('lists own emojis and external ones, animated or not, with images that load', async () => {
    const platform = await openPlatform();
    const serverId = platform.serverId('Sandbox');
    const { body } = await platform.call('servers.emojis', { serverId });
    expect(body).toMatchObject([
      { name: 'party', isExternal: false, isAnimated: true, sourceServerId: serverId },
      { name: 'ok', isExternal: false, isAnimated: false, sourceServerName: 'Sandbox' },
      { name: 'wave', isExternal: true, isAnimated: false, sourceServerName: 'Second' },
    ]);
    for (const { imageUrl } of customEmojiSchema.array().parse(body)) {
      const image = await platform.send('GET', imageUrl);
      expect(image.headers['content-type']).toBe('image/svg+xml');
      expect(image.text).toMatch(/^<svg .*<\/svg>$/);
    }
  });

  it('filters by emoji, and names who gave each one', async () => {
    const platform = await openPlatform();
    const message = newMessage(platform);
    const party = await emojiId(platform, 'party');
    await react(platform, 'grace', message, { emoji: '👍' });
    await react(platform, 'linus', message, { emoji: '👍' });
    await react(platform, 'grace', message, { emoji: party });
    const one = await platform.call('reactions.list', message, {
      query: `?customEmojiId=${party}`,
    });
    expect(messageReactionUpdateSchema.parse(one.body).reactions).toMatchObject([
      { emoji: { customEmojiId: party }, count: 1, me: false },
    ]);
    const all = await platform.call('reactions.details', message);
    const groups = messageReactionDetailsSchema.parse(all.body).reactions;
    expect(groups.map(({ users }) => users.map(({ username }) => username))).toEqual([
      ['grace', 'linus'],
      ['grace'],
    ]);
    const filtered = await platform.call('reactions.details', message, {
      query: `?unicodeEmoji=${encodeURIComponent('👍')}`,
    });
    expect(messageReactionDetailsSchema.parse(filtered.body).reactions).toHaveLength(1);
  });

  it('reports the users in order to the page, and not to the bot', async () => {
    const platform = await openPlatform();
    const message = newMessage(platform);
    const shown = () => platform.simulator.messages().at(-1)?.reactions;
    const givers = () => shown()?.map(({ userIds }) => userIds);
    const [grace, linus, bot] = ['grace', 'linus', 'demo-bot'].map((name) => platform.userId(name));
    await react(platform, 'linus', message, { emoji: '👍' });
    await platform.call('reactions.add', message, { body: unicode('👍') });
    await react(platform, 'grace', message, { emoji: '👍' });
    await react(platform, 'grace', message, { emoji: '🎲' });
    expect(givers()).toEqual([[linus, bot, grace], [grace]]);
    expect(shown()).toMatchObject([
      { emoji: { unicodeEmoji: '👍' }, count: 3, me: true },
      { emoji: { unicodeEmoji: '🎲' }, count: 1, me: false },
    ]);
    const { body } = await platform.call('messages.list', { channelId: message.channelId });
    expect(JSON.stringify(body)).toContain('👍');
    expect(JSON.stringify(body)).not.toContain('userIds');

    await react(platform, 'linus', message, { emoji: '👍', remove: true });
    await react(platform, 'linus', message, { emoji: '👍' });
    expect(givers()?.[0]).toEqual([bot, grace, linus]);
  });

  it('clears all of them, one event for each that goes', async () => {
    const platform = await openPlatform();
    const message = newMessage(platform);
    await react(platform, 'grace', message, { emoji: '👍' });
    await react(platform, 'linus', message, { emoji: '👍' });
    const bot = await platform.connect();
    const reply = await platform.call('reactions.clear', message);
    expect(messageReactionUpdateSchema.parse(reply.body).reactions).toEqual([]);
    const counts = [
      await bot.event('MESSAGE_REACTION_REMOVE'),
      await bot.event('MESSAGE_REACTION_REMOVE'),
    ].map(({ userId, count }) => ({ userId, count }));
    expect(counts).toEqual([
      { userId: platform.userId('grace'), count: 1 },
      { userId: platform.userId('linus'), count: 0 },
    ]);
  });

  it('removes the reaction of one user and leaves the others', async () => {
    const platform = await openPlatform();
    const message = newMessage(platform);
    await react(platform, 'grace', message, { emoji: '👍' });
    await react(platform, 'linus', message, { emoji: '👍' });
    const reply = await platform.call(
      'reactions.removeUser',
      { ...message, userId: platform.userId('grace') },
      { body: unicode('👍') },
    );
    expect(messageReactionUpdateSchema.parse(reply.body).reactions).toMatchObject([{ count: 1 }]);
  });

  it('refuses a custom emoji of a server where the bot is not installed', async () => {
    const platform = await openPlatform();
    const message = newMessage(platform);
    const reply = await react(platform, 'ada', message, {
      emoji: '11111111-1111-4111-8111-111111111111',
    });
    expect(refusalOf(reply)).toEqual({
      status: 400,
      code: 'bot_validation_error',
      field: 'customEmojiId',
    });
  });
});
