import { once } from 'node:events';
import { ASSUMPTIONS, DEFAULT_PROFILE } from '@virgule/core/protocol';
import type {
  SimEvent,
  SimFrame,
  SimMessage,
  SimMessagePage,
  SimSnapshot,
} from '@virgule/core/simulator-api';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openPlatform, refusalOf, type Platform } from './open-platform.js';

// The bodies of `/_sim` have no schema: the casts below say what the contract of the page promises,
// and the expectations check it.
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

async function history(platform: Platform, channel: string, query = ''): Promise<SimMessagePage> {
  const path = `/_sim/channels/${platform.channelId(channel)}/messages${query}`;
  return (await platform.send('GET', path)).body as SimMessagePage;
}

/** A page's socket, with the events that came. */
function openPage(platform: Platform): SimEvent[] {
  const events: SimEvent[] = [];
  const socket = openPageSocket(platform);
  socket.on('message', (data: Buffer) => {
    events.push(...(JSON.parse(String(data)) as SimFrame));
  });
  return events;
}

function openPageSocket(platform: Platform): WebSocket {
  const socket = new WebSocket(`${platform.simulator.gatewayUrl}/_ui`);
  onTestFinished(() => socket.terminate());
  return socket;
}

describe('/_sim/state', () => {
  it('counts what happened, and shows the profile with its assumptions', async () => {
    const platform = await openPlatform();
    await platform.connect();
    await platform.call('users.me');
    await platform.call('users.me');
    const { body } = await platform.send('GET', '/_sim/state');
    expect(body).toMatchObject({
      gateway: { identifies: 1, connected: true, sockets: 1 },
      requests: { 'users.me': 2, 'commands.replace': 0 },
      puts: 0,
      servers: 3,
      users: 6,
      profile: DEFAULT_PROFILE,
      assumptions: ASSUMPTIONS,
    });
  });
});

describe('/_sim/bot', () => {
  const ask = (platform: Platform) =>
    platform.send('POST', '/_sim/bot', { body: { type: 'tasks' } });

  it('passes questions on to what answers them', async () => {
    const platform = await openPlatform();
    expect(refusalOf(await ask(platform))).toEqual({ status: 501, code: 'sim_no_bot' });
    platform.simulator.answerWith(async (question) => ({ value: [question] }));
    expect(await ask(platform)).toMatchObject({ status: 200, body: [{ type: 'tasks' }] });
    const message = 'There is no such task.';
    platform.simulator.answerWith(async () => ({ error: { code: 'E_TASK_UNKNOWN', message } }));
    expect(await ask(platform)).toMatchObject({ status: 422, body: { message } });
    platform.simulator.answerWith(async () => undefined);
    expect(refusalOf(await ask(platform))).toEqual({ status: 503, code: 'sim_bot_silent' });
  });
});

describe('/_sim/snapshot', () => {
  it('equals the snapshot of the simulator, with tokens for users only', async () => {
    const platform = await openPlatform();
    const { body } = await platform.send('GET', '/_sim/snapshot');
    expect(body).toEqual(platform.simulator.snapshot());
    const { users } = body as SimSnapshot;
    expect(
      users.filter(({ token }) => token === undefined).map(({ username }) => username),
    ).toEqual(['otherbot', 'demo-bot']);
  });

  it('carries the last 200 interactions', async () => {
    const platform = await openPlatform();
    await platform.register('ask');
    const ids = Array.from({ length: 201 }, () => platform.simulator.run({ rawInput: '/ask' }).id);
    const { interactions } = platform.simulator.snapshot();
    expect(interactions.map(({ id }) => id)).toEqual(ids.slice(1));
  });
});

describe('/_sim messages', () => {
  it('pages back through a channel, each page oldest first', async () => {
    const platform = await openPlatform();
    const newest = await history(platform, 'long-history', '?limit=2');
    expect(newest.messages.map(({ content }) => content)).toEqual([
      'Message 249 of 250.',
      'Message 250 of 250.',
    ]);
    const before = newest.messages[0]?.id ?? '';
    const older = await history(platform, 'long-history', `?limit=2&before=${before}`);
    expect(older.messages.map(({ content }) => content)).toEqual([
      'Message 247 of 250.',
      'Message 248 of 250.',
    ]);
    expect((await history(platform, 'general')).hasMore).toBe(false);
  });

  it('pages forward from a message to the newest one, each page oldest first', async () => {
    const platform = await openPlatform();
    const all = await history(platform, 'long-history', '?limit=4');
    const texts = all.messages.map(({ content }) => content);
    const after = (index: number, limit: number) =>
      history(platform, 'long-history', `?limit=${limit}&after=${all.messages[index]?.id}`);
    const first = await after(0, 2);
    expect(first.messages.map(({ content }) => content)).toEqual(texts.slice(1, 3));
    expect(first.hasMore).toBe(true);
    const rest = await after(2, 2);
    expect(rest.messages.map(({ content }) => content)).toEqual(texts.slice(3));
    expect(rest.hasMore).toBe(false);
    expect(await after(3, 2)).toEqual({ messages: [], hasMore: false });
    const other = await platform.send(
      'GET',
      `/_sim/channels/${platform.channelId('general')}/messages?after=${all.messages[0]?.id}`,
    );
    expect(other.status).toBe(404);
  });

  it('shows people what the bot does not see: hidden channels, and that something was deleted', async () => {
    const platform = await openPlatform();
    expect((await history(platform, 'hidden')).messages).toHaveLength(1);
    const { messages } = await history(platform, 'bot-spam');
    const gone = messages.filter(({ isDeleted }) => isDeleted);
    expect(gone).toMatchObject([{ content: '', attachments: [], reactions: [] }]);
    expect(JSON.stringify(messages)).not.toContain('This one is gone.');
  });

  it('writes, edits and deletes as a user', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    const userId = platform.userId('grace');
    const channelId = platform.channelId('general');
    const created = await platform.send('POST', '/_sim/messages', {
      body: { channelId, userId, content: 'Hello', replyToMessageId: platform.lastMessage().id },
    });
    const { id } = created.body as SimMessage;
    expect(created.body).toMatchObject({ authorUsername: 'grace', interactionId: null });
    const edited = await platform.send('PATCH', `/_sim/messages/${id}`, {
      body: { userId, content: 'Hello!' },
    });
    expect(edited.body).toMatchObject({ id, content: 'Hello!' });
    const deleted = await platform.send('DELETE', `/_sim/messages/${id}?userId=${userId}`);
    expect(deleted).toMatchObject({ status: 200, text: '' });
    expect(await bot.eventNames()).toEqual(['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_DELETE']);
    const again = await platform.send('DELETE', `/_sim/messages/${id}`, { body: { userId } });
    expect(refusalOf(again)).toEqual({ status: 404, code: 'bot_not_found' });
  });

  it('keeps users to their own messages and their own servers', async () => {
    const platform = await openPlatform();
    const message = platform.simulator.sendMessage({ content: 'By Ada' });
    const userId = platform.userId('linus');
    const edit = await platform.send('PATCH', `/_sim/messages/${message.id}`, {
      body: { userId, content: 'By Linus' },
    });
    expect(refusalOf(edit)).toEqual({ status: 403, code: 'bot_forbidden' });
    const channelId = platform.channelId('general', 'Second');
    const send = await platform.send('POST', '/_sim/messages', {
      body: { channelId, userId, content: 'Let me in' },
    });
    expect(refusalOf(send)).toEqual({ status: 404, code: 'bot_not_found' });
  });

  it.each([
    ['POST', '/_sim/messages', {}, 'channelId'],
    ['POST', '/_sim/messages', { channelId: UNKNOWN_ID }, 'userId'],
    ['POST', '/_sim/messages', '[]', 'channelId'],
    ['POST', '/_sim/reactions', { channelId: UNKNOWN_ID, userId: 1 }, 'userId'],
    ['POST', '/_sim/voice', {}, 'channelId'],
    ['POST', '/_sim/voice', { channelId: null }, 'userId'],
    ['PATCH', '/_sim/messages/1', {}, 'messageId'],
    ['PATCH', `/_sim/messages/${UNKNOWN_ID}`, {}, 'userId'],
    ['GET', '/_sim/channels/1/messages', undefined, 'channelId'],
    ['POST', '/_sim/gateway/drop', { code: 1005 }, 'code'],
    ['POST', '/_sim/gateway/drop', { code: 'x' }, 'code'],
  ])('refuses %s %s with %j, naming %s', async (method, path, body, field) => {
    const platform = await openPlatform();
    const reply = await platform.send(method, path, { body });
    expect(refusalOf(reply)).toEqual({ status: 400, code: 'bot_validation_error', field });
  });

  it('refuses unknown channels, users, content that is too long, bodies that are too large', async () => {
    const platform = await openPlatform();
    const unknown = await platform.send('GET', `/_sim/channels/${UNKNOWN_ID}/messages`);
    expect(refusalOf(unknown)).toMatchObject({ status: 404 });
    const unknownUser = await platform.send('POST', '/_sim/voice', {
      body: { channelId: null, userId: UNKNOWN_ID },
    });
    expect(refusalOf(unknownUser)).toMatchObject({ status: 404 });
    const ids = { channelId: platform.channelId('general'), userId: platform.userId('ada') };
    const long = { body: { ...ids, content: 'x'.repeat(2001) } };
    expect(refusalOf(await platform.send('POST', '/_sim/messages', long))).toMatchObject({
      field: 'content',
    });
    const huge = { body: { ...ids, content: 'x'.repeat(70_000) } };
    expect(refusalOf(await platform.send('POST', '/_sim/messages', huge))).toMatchObject({
      status: 413,
    });
    expect(refusalOf(await platform.send('GET', '/_sim/nothing'))).toEqual({
      status: 501,
      code: 'sim_not_implemented',
    });
  });

  it('refuses a message that is unknown, or of another channel, to read from or to change', async () => {
    const platform = await openPlatform();
    const elsewhere = platform.lastMessage('bot-spam').id;
    for (const before of [UNKNOWN_ID, elsewhere]) {
      const path = `/_sim/channels/${platform.channelId('general')}/messages?before=${before}`;
      const reply = await platform.send('GET', path);
      expect(refusalOf(reply)).toEqual({ status: 404, code: 'bot_not_found' });
    }
    const path = `/_sim/messages/${UNKNOWN_ID}`;
    const body = { userId: platform.userId('ada'), content: 'Hello' };
    for (const method of ['PATCH', 'DELETE']) {
      const reply = await platform.send(method, path, { body });
      expect(refusalOf(reply)).toEqual({ status: 404, code: 'bot_not_found' });
    }
  });
});

describe('/_sim/gateway/drop', () => {
  it('closes the sockets of the bot with a code, or abruptly', async () => {
    const platform = await openPlatform();
    const polite = await platform.connect();
    const reply = await platform.send('POST', '/_sim/gateway/drop', { body: { code: 1012 } });
    expect(reply.body).toEqual({ dropped: 1 });
    expect(await polite.closeCode()).toBe(1012);
    const rude = await platform.connect();
    await platform.send('POST', '/_sim/gateway/drop');
    expect(await rude.closeCode()).toBe(1006);
    expect(platform.simulator.snapshot().bot).toMatchObject({ connected: false, identifies: 2 });
    const none = await platform.send('POST', '/_sim/gateway/drop', { body: { code: 1006 } });
    expect(none.body).toEqual({ dropped: 0 });
  });
});

describe('/_ui', () => {
  it('sends a snapshot first, then every event', async () => {
    const platform = await openPlatform();
    const events = openPage(platform);
    await vi.waitFor(() => expect(events).toHaveLength(1));
    expect(events[0]).toEqual({ type: 'snapshot', snapshot: platform.simulator.snapshot() });
    await platform.register('ask');
    const message = platform.simulator.sendMessage({ content: 'Hello' });
    await platform.send('POST', '/_sim/reactions', {
      body: {
        channelId: message.channelId,
        messageId: message.id,
        userId: platform.userId('grace'),
        unicodeEmoji: '👍',
      },
    });
    await platform.send('POST', '/_sim/voice', {
      body: { channelId: platform.channelId('Lounge'), userId: platform.userId('ada') },
    });
    platform.simulator.report([{ code: 'E_SYNTAX', message: 'Unexpected }' }]);
    await vi.waitFor(() => expect(events).toHaveLength(6));
    expect(events.slice(1)).toMatchObject([
      { type: 'commands', commands: [{ name: 'ask' }] },
      { type: 'message', message: { id: message.id, reactions: [] } },
      { type: 'message', message: { id: message.id, reactions: [{ count: 1 }] } },
      { type: 'voice', voice: { participants: [{ username: 'ada' }] } },
      { type: 'problems', problems: [{ code: 'E_SYNTAX' }] },
    ]);
  });

  it('serves several pages at once', async () => {
    const platform = await openPlatform();
    const pages = [openPage(platform), openPage(platform)];
    await vi.waitFor(() => expect(pages.map(({ length }) => length)).toEqual([1, 1]));
    platform.simulator.sendMessage({ content: 'Hello' });
    await vi.waitFor(() => expect(pages.map(({ length }) => length)).toEqual([2, 2]));
  });

  it('closes a page above the maximum with 1013, and accepts it after another one closed', async () => {
    const platform = await openPlatform();
    const pages = Array.from({ length: 50 }, () => openPageSocket(platform));
    await Promise.all(pages.map((page) => once(page, 'message')));
    const oneTooMany = openPageSocket(platform);
    const [code, reason] = (await once(oneTooMany, 'close')) as [number, Buffer];
    expect([code, String(reason)]).toEqual([1013, '50 pages are open']);
    pages[0]?.close();
    await vi.waitFor(async () => {
      const page = openPageSocket(platform);
      // Rejected again if the simulator has not yet seen the other one close.
      const [first]: unknown[] = await Promise.race([once(page, 'message'), once(page, 'close')]);
      expect(JSON.parse(String(first))).toMatchObject([{ type: 'snapshot' }]);
    });
  });
});
