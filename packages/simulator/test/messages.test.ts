import {
  messageContextSchema,
  messagePageSchema,
  messageSchema,
  type MessagePage,
} from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { openPlatform, refusalOf, type Platform } from './open-platform.js';

async function page(platform: Platform, channel: string, query = ''): Promise<MessagePage> {
  const parameters = { channelId: platform.channelId(channel) };
  const reply = await platform.call('messages.list', parameters, { query });
  return messagePageSchema.parse(reply.body);
}

const texts = ({ messages }: Pick<MessagePage, 'messages'>): string[] =>
  messages.map(({ content }) => content);

describe('GET messages', () => {
  it('pages backwards through 250 messages, 50 at a time, newest first', async () => {
    const platform = await openPlatform();
    const seen: string[] = [];
    let sizes: number[] = [];
    let query = '';
    for (let more = true; more;) {
      const { messages, hasMore, oldestId } = await page(platform, 'long-history', query);
      seen.push(...texts({ messages }));
      sizes = [...sizes, messages.length];
      expect(oldestId).toBe(messages.at(-1)?.id);
      query = `?before=${oldestId ?? ''}`;
      more = hasMore;
    }
    expect(sizes).toEqual([50, 50, 50, 50, 50]);
    expect(seen).toEqual(
      Array.from({ length: 250 }, (_, index) => `Message ${250 - index} of 250.`),
    );
  });

  it('returns at most limit messages, and at most the maximum of the profile', async () => {
    const platform = await openPlatform({ profile: { pageMax: 30 } });
    expect((await page(platform, 'long-history', '?limit=3')).messages).toHaveLength(3);
    expect((await page(platform, 'long-history', '?limit=2000')).messages).toHaveLength(30);
  });

  it('answers an empty page with a null id', async () => {
    const platform = await openPlatform();
    const oldest = platform.simulator.messages('general')[0]?.id;
    expect(await page(platform, 'general', `?before=${oldest ?? ''}`)).toEqual({
      messages: [],
      hasMore: false,
      oldestId: null,
    });
  });

  it('leaves out what was deleted, and still takes its id as before', async () => {
    const platform = await openPlatform();
    const [first, second, third] = ['one', 'two', 'three'].map((content) =>
      platform.simulator.sendMessage({ content }),
    );
    const { channelId } = platform.lastMessage();
    await platform.call('messages.delete', { channelId, messageId: second?.id ?? '' });
    expect(texts(await page(platform, 'general', '?limit=2'))).toEqual(['three', 'one']);
    expect(texts(await page(platform, 'general', `?limit=1&before=${second?.id ?? ''}`))).toEqual([
      'one',
    ]);
    expect([first?.content, third?.content]).toEqual(['one', 'three']);
  });

  it('does not take the id of a message in another channel', async () => {
    const platform = await openPlatform();
    const elsewhere = platform.lastMessage('long-history').id;
    const reply = await platform.call(
      'messages.list',
      { channelId: platform.channelId('general') },
      { query: `?before=${elsewhere}` },
    );
    expect(refusalOf(reply)).toEqual({ status: 404, code: 'bot_not_found' });
  });
});

describe('GET context', () => {
  it('returns the messages around one, oldest first', async () => {
    const platform = await openPlatform();
    const middle = platform.simulator.messages('long-history')[100];
    const { channelId = '', id = '' } = middle ?? {};
    const parameters = { channelId, messageId: id };
    const narrow = await platform.call('messages.context', parameters, {
      query: '?before=2&after=1',
    });
    const { messages, ...rest } = messageContextSchema.parse(narrow.body);
    expect(texts({ messages })).toEqual([
      'Message 99 of 250.',
      'Message 100 of 250.',
      'Message 101 of 250.',
      'Message 102 of 250.',
    ]);
    expect(rest).toEqual({
      serverId: platform.serverId('Sandbox'),
      channelId,
      messageId: id,
      hasOlder: true,
      hasNewer: true,
    });
    const wide = await platform.call('messages.context', parameters);
    expect(messageContextSchema.parse(wide.body).messages).toHaveLength(51);
  });

  it('says when there is nothing older or newer', async () => {
    const platform = await openPlatform();
    const { channelId, id } = platform.lastMessage('general');
    const reply = await platform.call(
      'messages.context',
      { channelId, messageId: id },
      { query: '?before=0&after=0' },
    );
    expect(messageContextSchema.parse(reply.body)).toMatchObject({
      hasOlder: false,
      hasNewer: false,
      messages: [{ id }],
    });
  });
});

describe('writing messages', () => {
  it('sends a message as the bot, notifies bot and page, and returns it afterwards', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    const parameters = { channelId: platform.channelId('general') };
    const reply = await platform.call('messages.send', parameters, { body: { content: 'Hi 👋' } });
    const message = messageSchema.parse(reply.body);
    expect(message).toMatchObject({
      content: 'Hi 👋',
      authorId: platform.userId('demo-bot'),
      authorUsername: 'demo-bot',
      authorDisplayName: 'Demo Bot',
      replyTo: null,
      editedAt: null,
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    expect(await bot.event('MESSAGE_CREATE')).toEqual({
      ...message,
      serverId: platform.serverId('Sandbox'),
    });
    const read = await platform.call('messages.get', { ...parameters, messageId: message.id });
    expect(read.body).toEqual(message);
  });

  it('shows what a message replies to, and that it is gone later', async () => {
    const platform = await openPlatform();
    const { id: replyToMessageId, channelId } = platform.simulator.sendMessage({
      content: 'A question',
      as: 'grace',
    });
    const reply = await platform.call(
      'messages.send',
      { channelId },
      { body: { content: 'An answer', replyToMessageId } },
    );
    expect(messageSchema.parse(reply.body).replyTo).toMatchObject({
      messageId: replyToMessageId,
      authorUsername: 'grace',
      content: 'A question',
    });
    await platform.call('messages.delete', { channelId, messageId: replyToMessageId });
    expect(platform.lastMessage().replyTo).toEqual({
      messageId: replyToMessageId,
      isDeleted: true,
    });
  });

  it('takes content of 1 and of 2000 characters, counted in UTF-16 code units', async () => {
    const platform = await openPlatform();
    const parameters = { channelId: platform.channelId('general') };
    const send = (content: string) =>
      platform.call('messages.send', parameters, { body: { content } });
    expect((await send('x')).status).toBe(200);
    expect((await send('x'.repeat(2000))).status).toBe(200);
    expect((await send('🎲'.repeat(1000))).status).toBe(200);
    expect(refusalOf(await send('🎲'.repeat(1001)))).toMatchObject({ field: 'content' });
  });

  it('takes nothing from a body that only the platform decides', async () => {
    const platform = await openPlatform();
    const reply = await platform.call(
      'messages.send',
      { channelId: platform.channelId('general') },
      { body: { content: 'Hi', authorId: platform.userId('ada'), interactionId: 'x' } },
    );
    expect(messageSchema.parse(reply.body).authorUsername).toBe('demo-bot');
    expect(platform.simulator.messages().at(-1)?.interactionId).toBeNull();
  });

  it('edits its own message, sets the time and notifies the bot', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    const channelId = platform.channelId('general');
    await platform.call('messages.send', { channelId }, { body: { content: 'Frist' } });
    const { id: messageId } = platform.lastMessage();
    await platform.clock.advance(1_500);
    const reply = await platform.call(
      'messages.edit',
      { channelId, messageId },
      { body: { content: 'First' } },
    );
    expect(messageSchema.parse(reply.body)).toMatchObject({
      id: messageId,
      content: 'First',
      editedAt: '2026-01-01T00:00:01.500Z',
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    expect(await bot.event('MESSAGE_UPDATE')).toMatchObject({ id: messageId, content: 'First' });
  });

  it('deletes for good: the bot cannot read it, the page sees that it is gone', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    const { id: messageId, channelId } = platform.simulator.sendMessage({ content: 'Oops' });
    const parameters = { channelId, messageId };
    expect((await platform.call('messages.delete', parameters)).status).toBe(200);
    expect(await bot.event('MESSAGE_DELETE')).toEqual({
      serverId: platform.serverId('Sandbox'),
      channelId,
      messageId,
    });
    for (const name of ['messages.get', 'messages.delete', 'messages.context'] as const) {
      expect(refusalOf(await platform.call(name, parameters))).toMatchObject({ status: 404 });
    }
    expect(platform.lastMessage()).toMatchObject({ id: messageId, isDeleted: true, content: '' });
  });

  it('needs no permission to delete what the bot wrote', async () => {
    const platform = await openPlatform();
    const channelId = platform.channelId('read-only');
    await platform.call('messages.send', { channelId }, { body: { content: 'Mine' } });
    const messageId = platform.lastMessage('read-only').id;
    expect((await platform.call('messages.delete', { channelId, messageId })).status).toBe(200);
  });

  it('forgets the oldest of more than 11,000 messages in a channel', async () => {
    const platform = await openPlatform();
    for (let count = 0; count < 11_000; count += 1) {
      platform.simulator.sendMessage({ content: String(count) });
    }
    const kept = platform.simulator.messages();
    expect(kept).toHaveLength(10_001);
    expect(kept[0]?.content).toBe('999');
    expect(texts(await page(platform, 'general', '?limit=1'))).toEqual(['10999']);
    const { id: messageId = '', channelId = '' } = kept[5] ?? {};
    expect((await platform.call('messages.get', { channelId, messageId })).status).toBe(200);
  });
});

describe('typing', () => {
  it('shows the bot typing for 8 seconds', async () => {
    const platform = await openPlatform();
    const events: unknown[] = [];
    platform.simulator.on((event) => events.push(event));
    const channelId = platform.channelId('general');
    await platform.call('channels.typing', { channelId });
    expect(events).toEqual([
      { type: 'typing', channelId, userId: platform.userId('demo-bot'), forMs: 8_000 },
    ]);
  });
});
