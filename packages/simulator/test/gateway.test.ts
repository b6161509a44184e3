import { INTENTS, readySchema, type Frame } from '@virgule/core/protocol';
import { describe, expect, it, vi } from 'vitest';
import type { BotSocket } from './bot-socket.js';
import { openPlatform, type Platform } from './open-platform.js';
import { runCommand } from './run-command.js';

const ops = ({ frames }: BotSocket): string[] => frames.map(({ op, t }: Frame) => t ?? op);

/** Causes one event of each kind. */
async function makeEveryEvent(platform: Platform): Promise<void> {
  const channelId = platform.channelId('general');
  await platform.call('messages.send', { channelId }, { body: { content: 'One' } });
  const messageId = platform.lastMessage().id;
  const parameters = { channelId, messageId };
  await platform.call('messages.edit', parameters, { body: { content: 'Two' } });
  const emoji = { body: { unicodeEmoji: '👍', customEmojiId: null } };
  await platform.call('reactions.add', parameters, emoji);
  await platform.call('reactions.remove', parameters, emoji);
  await platform.call('messages.delete', parameters);
  await platform.call('voice.join', { channelId: platform.channelId('Lounge') });
  await runCommand(platform);
}

const EVENTS_IN_ORDER = [
  'MESSAGE_CREATE',
  'MESSAGE_UPDATE',
  'MESSAGE_REACTION_ADD',
  'MESSAGE_REACTION_REMOVE',
  'MESSAGE_DELETE',
  'VOICE_STATE_UPDATE',
  'APPLICATION_COMMAND',
];

const BY_INTENT = {
  SERVER_MESSAGES: ['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_DELETE'],
  MESSAGE_REACTIONS: ['MESSAGE_REACTION_ADD', 'MESSAGE_REACTION_REMOVE'],
  SERVER_VOICE: ['VOICE_STATE_UPDATE'],
  APPLICATION_COMMANDS: ['APPLICATION_COMMAND'],
} satisfies Record<(typeof INTENTS)[number], string[]>;

describe('the gateway', () => {
  it('says HELLO, takes IDENTIFY, says READY, answers heartbeats', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    bot.send({ op: 'HEARTBEAT' });
    await bot.frame(({ op }) => op === 'HEARTBEAT_ACK');
    expect(ops(bot)).toEqual(['HELLO', 'READY', 'HEARTBEAT_ACK']);
    expect(bot.frames[0]).toEqual({ op: 'HELLO', d: { heartbeatInterval: 25_000 } });
    expect(readySchema.parse(bot.frames[1]?.d)).toEqual({
      applicationId: expect.any(String),
      botUserId: platform.userId('demo-bot'),
      username: 'demo-bot',
      displayName: 'Demo Bot',
      serverIds: [platform.serverId('Sandbox'), platform.serverId('Second')],
    });
    expect(platform.simulator.snapshot().bot).toMatchObject({ connected: true, identifies: 1 });
  });

  it('delivers every event when no intents are named', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    await makeEveryEvent(platform);
    expect(await bot.eventNames()).toEqual(EVENTS_IN_ORDER);
  });

  it.each(INTENTS)('delivers for the intent %s what belongs to it', async (intent) => {
    const platform = await openPlatform();
    const bot = await platform.connect({ intents: [intent] });
    await makeEveryEvent(platform);
    expect(await bot.eventNames()).toEqual(BY_INTENT[intent]);
  });

  it('delivers nothing for an empty list of intents', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect({ intents: [] });
    await makeEveryEvent(platform);
    expect(await bot.eventNames()).toEqual([]);
  });

  it('delivers nothing before IDENTIFY', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect({ identify: false });
    platform.simulator.sendMessage({ content: 'Too early' });
    bot.send({ op: 'IDENTIFY', d: { token: platform.simulator.token } });
    await bot.frame(({ t }) => t === 'READY');
    expect(await bot.eventNames()).toEqual([]);
  });

  it('delivers nothing from channels that are hidden and servers without the bot', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    platform.simulator.sendMessage({ channel: 'hidden', content: 'Psst' });
    platform.simulator.sendMessage({
      channel: platform.channelId('general', 'Elsewhere'),
      content: 'Psst',
    });
    platform.simulator.sendMessage({
      channel: platform.channelId('general', 'Second'),
      content: 'Hello',
    });
    expect(await bot.eventNames()).toEqual(['MESSAGE_CREATE']);
    expect(await bot.event('MESSAGE_CREATE')).toMatchObject({
      content: 'Hello',
      serverId: platform.serverId('Second'),
    });
  });

  it.each([
    ['a wrong token', { op: 'IDENTIFY', d: { token: 'wrong' } }, 4004],
    ['the token with its scheme', { op: 'IDENTIFY', d: { token: 'Bot sim' } }, 4004],
    ['IDENTIFY without a token', { op: 'IDENTIFY', d: {} }, 4002],
    [
      'IDENTIFY with an unknown intent',
      { op: 'IDENTIFY', d: { token: 'x', intents: ['ALL'] } },
      4002,
    ],
    ['a heartbeat before IDENTIFY', { op: 'HEARTBEAT' }, 4003],
    ['an unknown op before IDENTIFY', { op: 'RESUME' }, 4003],
    ['a frame without op', { d: 1 }, 4002],
    ['a list', [1], 4002],
  ])('closes a socket that sends %s', async (_what, frame, code) => {
    const platform = await openPlatform();
    const bot = await platform.connect({ identify: false });
    bot.send(frame);
    expect(await bot.closeCode()).toBe(code);
    expect(bot.closed?.reason).toMatch(/\w/);
    expect(platform.simulator.counts.identifies).toBe(0);
  });

  it.each([
    ['text that is not JSON', '{"op":', 4002],
    ['a binary frame', Buffer.from('{"op":"HEARTBEAT"}'), 4002],
    ['a frame that is too large', 'x'.repeat(65_537), 1009],
  ])('closes a socket that sends %s', async (_what, text, code) => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    bot.sendText(text);
    expect(await bot.closeCode()).toBe(code);
    await vi.waitFor(() => expect(platform.simulator.snapshot().bot.connected).toBe(false));
  });

  it('closes a socket that identifies twice or sends what only the server sends', async () => {
    const platform = await openPlatform();
    const twice = await platform.connect();
    twice.send({ op: 'IDENTIFY', d: { token: platform.simulator.token } });
    expect(await twice.closeCode()).toBe(4005);
    const liar = await platform.connect();
    liar.send({ op: 'DISPATCH', t: 'MESSAGE_CREATE', d: {} });
    expect(await liar.closeCode()).toBe(4002);
  });

  it('listens to nothing that comes after what it closes a socket for', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect({ identify: false });
    bot.send({ op: 'IDENTIFY', d: { token: 'wrong' } });
    bot.send({ op: 'IDENTIFY', d: { token: platform.simulator.token } });
    expect(await bot.closeCode()).toBe(4004);
    expect(platform.simulator.counts.identifies).toBe(0);
  });

  it('closes a socket without a heartbeat for two intervals', async () => {
    const platform = await openPlatform({ profile: { heartbeat: { intervalMs: 10_000 } } });
    const bot = await platform.connect();
    await platform.clock.advance(15_000);
    expect(await bot.eventNames()).toEqual([]);
    await platform.clock.advance(19_999);
    expect(platform.simulator.snapshot().bot.connected).toBe(true);
    await platform.clock.advance(1);
    expect(await bot.closeCode()).toBe(4010);
    expect(platform.simulator.snapshot().bot.connected).toBe(false);
  });

  it('closes a socket that never identifies', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect({ identify: false });
    await platform.clock.advance(50_000);
    expect(await bot.closeCode()).toBe(4010);
  });

  it('lets a newer socket replace the older one', async () => {
    const platform = await openPlatform();
    const states: boolean[] = [];
    const older = await platform.connect();
    platform.simulator.on((event) => {
      if (event.type === 'bot') states.push(event.bot.connected);
    });
    const newer = await platform.connect();
    expect(await older.closeCode()).toBe(4009);
    platform.simulator.sendMessage({ content: 'Hello' });
    expect(await newer.eventNames()).toEqual(['MESSAGE_CREATE']);
    expect(older.frames.map(({ t }) => t)).not.toContain('MESSAGE_CREATE');
    expect(platform.simulator.counts).toMatchObject({ identifies: 2 });
    expect(states).toEqual([true]);
  });

  it('refuses the newer socket if set in the profile', async () => {
    const platform = await openPlatform({ profile: { sameTokenSockets: 'refuse' } });
    const older = await platform.connect();
    const newer = await platform.connect({ identify: false });
    newer.send({ op: 'IDENTIFY', d: { token: platform.simulator.token } });
    expect(await newer.closeCode()).toBe(4009);
    platform.simulator.sendMessage({ content: 'Hello' });
    expect(await older.eventNames()).toEqual(['MESSAGE_CREATE']);
    expect(platform.simulator.counts.identifies).toBe(1);
  });

  it('sends every event to every socket in the profile broadcast', async () => {
    const platform = await openPlatform({ profile: { sameTokenSockets: 'broadcast' } });
    const sockets = [await platform.connect(), await platform.connect()];
    platform.simulator.sendMessage({ content: 'Hello' });
    for (const socket of sockets) expect(await socket.eventNames()).toEqual(['MESSAGE_CREATE']);
  });

  it('splits the events among the sockets if set in the profile', async () => {
    const platform = await openPlatform({ profile: { sameTokenSockets: 'split' } });
    const sockets = [
      await platform.connect({ intents: ['SERVER_MESSAGES'] }),
      await platform.connect({ intents: ['SERVER_MESSAGES'] }),
      await platform.connect({ intents: ['SERVER_VOICE'] }),
    ];
    for (const content of ['1', '2', '3', '4']) platform.simulator.sendMessage({ content });
    const counts = await Promise.all(sockets.map(async (each) => (await each.eventNames()).length));
    expect(counts).toEqual([2, 2, 0]);
  });

  it('stays connected while one of several sockets is open', async () => {
    const platform = await openPlatform({ profile: { sameTokenSockets: 'broadcast' } });
    const first = await platform.connect();
    const second = await platform.connect();
    first.close();
    await vi.waitFor(() => expect(platform.simulator.counts.sockets).toBe(1));
    expect(platform.simulator.snapshot().bot.connected).toBe(true);
    second.close();
    await vi.waitFor(() => expect(platform.simulator.snapshot().bot.connected).toBe(false));
  });

  it.each([null, 'text', 0, -5])('survives %s as the heartbeat interval', async (sent) => {
    // The type is number, but a platform may send any value.
    const intervalMs = sent as number;
    const platform = await openPlatform({ profile: { heartbeat: { intervalMs } } });
    const bot = await platform.connect();
    expect(await bot.eventNames()).toEqual([]);
    expect(bot.frames[0]?.d).toEqual({ heartbeatInterval: sent });
  });

  it('sends all events before it closes a socket', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    const contents = Array.from({ length: 200 }, (_, index) => `Message ${index}`);
    for (const content of contents) platform.simulator.sendMessage({ content });
    await platform.simulator.close();
    expect(await bot.closeCode()).toBe(1001);
    expect(bot.frames.flatMap(({ t, d }) => (t === 'MESSAGE_CREATE' ? [d] : []))).toEqual(
      contents.map((content) => expect.objectContaining({ content })),
    );
  });

  it('turns away more than 100 sockets', async () => {
    const platform = await openPlatform();
    for (let count = 0; count < 100; count += 1) await platform.connect({ identify: false });
    expect(platform.simulator.counts.sockets).toBe(100);
    await expect(platform.connect({ identify: false })).rejects.toThrow('closed with 1013');
  });
});
