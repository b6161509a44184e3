import { once } from 'node:events';
import { ASSUMPTIONS, DEFAULT_PROFILE } from '@virgule/core/protocol';
import type {
  SimBotQuestion,
  SimEvent,
  SimFrame,
  SimMessage,
  SimMessagePage,
  SimSnapshot,
} from '@virgule/core/simulator-api';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { WebSocket } from 'ws';
import { SIM_ACTIONS } from '../src/control/actions.js';
import { openPlatform, refusalOf, type Platform } from './open-platform.js';

// The bodies of `/_sim` have no schema: the casts below state the contract of the page, and the expectations check the
// contract.
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

async function history(platform: Platform, channel: string, page = {}): Promise<SimMessagePage> {
  return (await platform.act('messages', { channel, ...page })).body as SimMessagePage;
}

/** A socket of a page, with the received events. */
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

it('describes each input of each action', () => {
  for (const { name, input } of SIM_ACTIONS) {
    const { properties = {} } = z.toJSONSchema(input, { io: 'input' });
    for (const [key, schema] of Object.entries(properties))
      expect(schema, `${name}: ${key}`).toHaveProperty(
        'description',
        expect.stringMatching(/^[A-Z]/),
      );
  }
});

describe('faults', () => {
  it('takes the seed from `seed`, else from the file, else keeps it', async () => {
    const platform = await openPlatform();
    const seedAfter = async (input: object) => (await platform.act('faults', input)).body;
    expect(await seedAfter({ presets: ['rate limited'], seed: 'a' })).toMatchObject({ seed: 'a' });
    expect(await seedAfter({ presets: ['slow API'] })).toMatchObject({ seed: 'a' });
    const rules = { seed: 'b', rules: [] };
    expect(await seedAfter({ rules })).toMatchObject({ seed: 'b' });
    expect(await seedAfter({ rules, seed: 'c' })).toMatchObject({ seed: 'c' });
  });
});

describe('the default channel', () => {
  it('is the first text channel of the first server, whatever its name', async () => {
    const platform = await openPlatform();
    const { id } = platform.simulator.channel();
    expect(platform.simulator.channel('general').id).toBe(id);
    await platform.act('channel', { id, name: 'lobby' });
    expect(platform.simulator.channel()).toEqual({ id, name: 'lobby' });
    expect(platform.simulator.sendMessage({ content: 'hi' }).channelId).toBe(id);
  });
});

describe('state', () => {
  it('counts what happened, and shows the profile with its assumptions', async () => {
    const platform = await openPlatform();
    await platform.connect();
    await platform.call('users.me');
    await platform.call('users.me');
    const { body } = await platform.act('state');
    expect(body).toMatchObject({
      gateway: { identifies: 1, connected: true, sockets: 1 },
      requests: { 'users.me': 2, 'commands.replace': 0 },
      profile: DEFAULT_PROFILE,
      assumptions: ASSUMPTIONS,
    });
  });
});

describe('tasks', () => {
  const ask = (platform: Platform) => platform.act('tasks');

  it('passes questions on to what answers them', async () => {
    const platform = await openPlatform();
    expect(refusalOf(await ask(platform))).toEqual({ status: 501, code: 'sim_no_bot' });
    platform.simulator.answerWith(async (question) => ({ value: [question] }));
    expect(await ask(platform)).toMatchObject({
      status: 200,
      body: { tasks: [{ type: 'tasks' }] },
    });
    const message = 'There is no such task.';
    platform.simulator.answerWith(async () => ({ error: { code: 'E_TASK_CALL', message } }));
    expect(await ask(platform)).toMatchObject({ status: 422, body: { message } });
    platform.simulator.answerWith(async () => undefined);
    expect(refusalOf(await ask(platform))).toEqual({ status: 503, code: 'sim_bot_silent' });
  });
});

describe('storage', () => {
  async function openWithBot() {
    const platform = await openPlatform();
    const asked: SimBotQuestion[] = [];
    platform.simulator.answerWith(async (question) => {
      asked.push(question);
      return { value: true };
    });
    return { platform, asked };
  }

  it('searches for a text, and for the ids of the places and users whose names have the text', async () => {
    const { platform, asked } = await openWithBot();
    const { id } = platform.simulator.channel('read-only');
    await platform.act('storage', { search: 'Read-' });
    await platform.act('storage');
    expect(asked).toEqual([
      { type: 'storage', prefix: '', search: 'Read-', ids: [id] },
      { type: 'storage', prefix: '', search: '', ids: [] },
    ]);
  });

  it('searches for a name that hundreds of users have', async () => {
    const { platform, asked } = await openWithBot();
    for (let index = 0; index < 500; index += 1)
      await platform.act('user', { username: `tester${index}` });
    const path = '/_sim/storage?search=tester';
    const response = await fetch(platform.simulator.baseUrl + path);
    expect(response.status).toBe(200);
    expect(asked).toMatchObject([{ ids: { length: 500 } }]);
  });

  it.each(['tasks:run:digest:1', 'cooldowns:a', 'leader:services', 'virgule:failed:1'])(
    'refuses to set and to delete %s, which belongs to the framework',
    async (key) => {
      const { platform, asked } = await openWithBot();
      for (const input of [{ key, value: 1 }, { key }]) {
        const { status, body } = await platform.act('entry', input);
        expect({ status, body }).toMatchObject({
          status: 400,
          body: { details: { field: 'key' } },
        });
        expect(body).toMatchObject({ message: expect.stringContaining(key) });
      }
      expect(asked).toEqual([]);
    },
  );

  it('sets and deletes other keys', async () => {
    const { platform, asked } = await openWithBot();
    await platform.act('entry', { key: 'tasks', value: 1 });
    await platform.act('entry', { key: 'server:1:tasks:x' });
    expect(asked).toEqual([
      { type: 'set-entry', key: 'tasks', value: 1 },
      { type: 'set-entry', key: 'server:1:tasks:x' },
    ]);
  });
});

describe('world', () => {
  it('equals the snapshot of the simulator, with tokens for users only', async () => {
    const platform = await openPlatform();
    const { body } = await platform.act('world');
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

describe('messages', () => {
  it('pages back through a channel, each page oldest first', async () => {
    const platform = await openPlatform();
    const newest = await history(platform, 'long-history', { limit: 2 });
    expect(newest.messages.map(({ content }) => content)).toEqual([
      'Message 249 of 250.',
      'Message 250 of 250.',
    ]);
    const before = newest.messages[0]?.id ?? '';
    const older = await history(platform, 'long-history', { limit: 2, before });
    expect(older.messages.map(({ content }) => content)).toEqual([
      'Message 247 of 250.',
      'Message 248 of 250.',
    ]);
    expect((await history(platform, 'general')).hasMore).toBe(false);
  });

  it('pages forward from a message to the newest one, each page oldest first', async () => {
    const platform = await openPlatform();
    const all = await history(platform, 'long-history', { limit: 4 });
    const texts = all.messages.map(({ content }) => content);
    const after = (index: number, limit: number) =>
      history(platform, 'long-history', { limit, after: all.messages[index]?.id });
    const first = await after(0, 2);
    expect(first.messages.map(({ content }) => content)).toEqual(texts.slice(1, 3));
    expect(first.hasMore).toBe(true);
    const rest = await after(2, 2);
    expect(rest.messages.map(({ content }) => content)).toEqual(texts.slice(3));
    expect(rest.hasMore).toBe(false);
    expect(await after(3, 2)).toEqual({ messages: [], hasMore: false });
    const other = await platform.act('messages', { after: all.messages[0]?.id });
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
    const as = 'grace';
    const replyTo = platform.lastMessage().id;
    const created = await platform.act('say', { as, content: 'Hello', replyTo });
    const { message } = created.body as { message: SimMessage };
    expect(message).toMatchObject({ authorUsername: 'grace', interactionId: null });
    const { id } = message;
    const edited = await platform.act('edit', { as, message: id, content: 'Hello!' });
    expect(edited.body).toMatchObject({ message: { id, content: 'Hello!' } });
    const deleted = await platform.act('delete', { as });
    expect(deleted.body).toMatchObject({ message: { id, isDeleted: true } });
    expect(await bot.eventNames()).toEqual(['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_DELETE']);
    const again = await platform.act('delete', { as, message: id });
    expect(refusalOf(again)).toEqual({ status: 404, code: 'bot_not_found' });
  });

  it('replaces names in the messages of users with mentions', async () => {
    const platform = await openPlatform();
    const { simulator } = platform;
    const mention = `<@${simulator.snapshot().bot.botUserId}>`;
    const { body } = await platform.act('say', { content: '@Demo Bot hello, `@demo-bot`' });
    expect(body).toMatchObject({ message: { content: `${mention} hello, \`@demo-bot\`` } });
    const edited = await platform.act('edit', { content: 'hello @demo-bot' });
    expect(edited.body).toMatchObject({ message: { content: `hello ${mention}` } });
    expect(simulator.sendMessage({ content: '@Demo Bot' }).content).toBe(mention);
  });

  it('refuses a message that is too long before it looks for names', async () => {
    const platform = await openPlatform();
    const displayName = 'n'.repeat(90);
    await platform.act('user', { username: 'nnn', displayName });
    const say = (count: number) =>
      platform.act('say', { content: `@${displayName} `.repeat(count) });
    expect((await say(20)).status).toBe(200);
    expect((await say(30)).status).toBe(400);
  });

  it('keeps users to their own messages and their own servers', async () => {
    const platform = await openPlatform();
    const message = platform.simulator.sendMessage({ content: 'By Ada' });
    const as = 'linus';
    const edit = await platform.act('edit', { as, message: message.id, content: 'By Linus' });
    expect(refusalOf(edit)).toEqual({ status: 403, code: 'bot_forbidden' });
    const channel = platform.channelId('general', 'Second');
    const send = await platform.act('say', { as, channel, content: 'Let me in' });
    expect(refusalOf(send)).toEqual({ status: 404, code: 'bot_not_found' });
  });

  it.each([
    ['say', {}, 'content'],
    ['say', { content: 1 }, 'content'],
    ['say', { content: 'x'.repeat(2001) }, 'content'],
    ['say', { content: 'x', unknown: 1 }, 'body'],
    ['react', { emoji: 'x' }, 'unicodeEmoji'],
    ['react', { emoji: UNKNOWN_ID }, 'customEmojiId'],
    ['messages', { limit: 0 }, 'limit'],
    ['messages', { before: 'x' }, 'before'],
    ['drop', { code: 1005 }, 'code'],
    ['drop', { code: 'x' }, 'code'],
    ['drop', { bot: 'nobody' }, 'bot'],
    ['faults', { presets: ['none'] }, 'presets'],
    ['event', { event: 'UNKNOWN' }, 'payload'],
  ])('refuses %s with %j, naming %s', async (name, input, field) => {
    const platform = await openPlatform();
    const reply = await platform.act(name, input);
    expect(refusalOf(reply)).toEqual({ status: 400, code: 'bot_validation_error', field });
    const cause = expect.objectContaining({ status: 400 });
    await expect(platform.simulator.act(name, input)).rejects.toMatchObject({ cause });
  });

  it.each([
    ['messages', { channel: UNKNOWN_ID }, 'Use a channel of the simulator: '],
    ['voice', { as: 'nobody' }, 'Use a user of the simulator: ada'],
    ['run', { line: '/nothing' }, 'Register a command first.'],
    ['follow', { id: 'x' }, 'There is no interaction or message x.'],
    ['expire', { id: UNKNOWN_ID }, 'There is no interaction'],
  ])('refuses %s with %j, and says what there is', async (name, input, message) => {
    const platform = await openPlatform();
    const reply = await platform.act(name, input);
    expect(refusalOf(reply)).toEqual({ status: 404, code: 'bot_not_found' });
    expect(reply.text).toContain(message);
  });

  it('refuses bodies that are too large, and what is not an action', async () => {
    const platform = await openPlatform();
    const huge = await platform.act('say', { content: 'x'.repeat(70_000) });
    expect(refusalOf(huge)).toMatchObject({ status: 413 });
    await expect(platform.simulator.act('nothing')).rejects.toThrow(
      'nothing is not part of the control API.',
    );
    expect(refusalOf(await platform.send('GET', '/_sim/nothing'))).toEqual({
      status: 501,
      code: 'sim_not_implemented',
    });
  });

  it('takes a JSON body for each action, and a query for a reading action', async () => {
    const platform = await openPlatform();
    const asked = { channel: 'long-history', limit: 2 };
    const posted = await platform.send('POST', '/_sim/messages', { body: asked });
    expect(posted.body).toEqual((await platform.act('messages', asked)).body);
    expect(refusalOf(await platform.send('GET', '/_sim/say?content=hi'))).toMatchObject({
      status: 501,
    });
  });

  it('refuses a message that is unknown, or of another channel, to read from or to change', async () => {
    const platform = await openPlatform();
    const elsewhere = platform.lastMessage('bot-spam').id;
    for (const before of [UNKNOWN_ID, elsewhere]) {
      const reply = await platform.act('messages', { before });
      expect(refusalOf(reply)).toEqual({ status: 404, code: 'bot_not_found' });
    }
    const message = UNKNOWN_ID;
    for (const [name, input] of [
      ['edit', { message, content: 'Hello' }],
      ['delete', { message }],
    ] as const) {
      const reply = await platform.act(name, input);
      expect(refusalOf(reply)).toEqual({ status: 404, code: 'bot_not_found' });
    }
  });
});

describe('drop', () => {
  it('closes the sockets of the bot with a code, or abruptly', async () => {
    const platform = await openPlatform();
    const polite = await platform.connect();
    const reply = await platform.act('drop', { code: 1012 });
    expect(reply.body).toEqual({ dropped: 1 });
    expect(await polite.closeCode()).toBe(1012);
    const rude = await platform.connect();
    await platform.act('drop');
    expect(await rude.closeCode()).toBe(1006);
    expect(platform.simulator.snapshot().bot).toMatchObject({ connected: false, identifies: 2 });
    const none = await platform.act('drop', { code: 1006 });
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
    await platform.act('react', { message: message.id, as: 'grace' });
    await platform.act('voice', { channel: 'Lounge' });
    platform.simulator.report([{ code: 'E_SYNTAX', message: 'Unexpected }' }]);
    await vi.waitFor(() => expect(events).toHaveLength(6));
    expect(events.slice(1)).toMatchObject([
      { type: 'commands', commands: [{ name: 'ask' }] },
      { type: 'message', message: { id: message.id, reactions: [] } },
      { type: 'message', message: { id: message.id, reactions: [{ count: 1 }] }, isNew: false },
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
      // The connection is rejected again if the simulator has not yet seen the other one close.
      const [first]: unknown[] = await Promise.race([once(page, 'message'), once(page, 'close')]);
      expect(JSON.parse(String(first))).toMatchObject([{ type: 'snapshot' }]);
    });
  });
});
