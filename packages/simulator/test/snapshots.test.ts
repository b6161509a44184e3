import { describe, expect, it } from 'vitest';
import { systemClock } from '@virgule/core/clock';
import { SIM_CAUSE_HEADER, type SimOutcome, type SimUser } from '@virgule/core/simulator-api';
import { startSimulator } from '@virgule/simulator';
import { openPlatform, refusalOf, type Platform } from './open-platform.js';
import { runCommand } from './run-command.js';

const contents = (platform: Platform, channel?: string): string[] =>
  platform.simulator.messages(channel).map(({ content }) => content);

const WELCOME = 'Welcome to the sandbox. Type / to run a command.';

describe('reset', () => {
  it('brings the world of the seed back, and leaves the bot connected and its commands registered', async () => {
    const platform = await openPlatform();
    const before = platform.simulator.snapshot();
    const bot = await platform.connect();
    await runCommand(platform);
    platform.simulator.sendMessage({ content: 'Hi' });
    await platform.act('user', { username: 'new-user' });
    await platform.act('channel', { id: platform.channelId('bot-spam'), remove: true });
    expect((await platform.act('reset')).status).toBe(200);
    const after = platform.simulator.snapshot();
    const { bot: was, bots } = before;
    expect({ ...after, bot: was, bots, commands: [] }).toEqual(before);
    expect(after.commands).toHaveLength(1);
    expect(contents(platform)).toEqual([WELCOME]);
    // The bot receives no event for the snapshot, but receives later events.
    const next = platform.simulator.sendMessage({ content: 'Next' });
    expect((await bot.event('MESSAGE_CREATE')).content).toBe('Hi');
    expect((await bot.event('MESSAGE_CREATE')).id).toBe(next.id);
  });

  it('ends interactions, whose ids are not used again', async () => {
    const platform = await openPlatform();
    const first = await runCommand(platform);
    await platform.act('reset');
    const reply = await platform.call('interactions.defer', { interactionId: first.id });
    expect(reply.status).toBe(404);
    await platform.clock.advance(60_000);
    expect(platform.simulator.snapshot().interactions).toEqual([]);
    expect((await runCommand(platform)).id).not.toBe(first.id);
  });

  it('sends open pages a snapshot', async () => {
    const platform = await openPlatform();
    const types: string[] = [];
    platform.simulator.on(({ type }) => types.push(type));
    await platform.act('reset');
    expect(types).toEqual(['snapshot']);
  });
});

describe('snapshot', () => {
  it('restores messages of a user who was added and deleted', async () => {
    const platform = await openPlatform();
    const { id: userId } = (await platform.act('user', { username: 'eve' })).body as SimUser;
    expect((await platform.act('say', { as: userId, content: 'Hi' })).status).toBe(200);
    await platform.act('user', { id: userId, remove: true });
    await platform.act('snapshot', { action: 'save', name: 'one' });
    expect((await platform.act('snapshot', { action: 'restore', name: 'one' })).status).toBe(200);
    expect(contents(platform)).toEqual([WELCOME, 'Hi']);
    await using next = await startSimulator({ saved: platform.simulator.save() });
    expect(next.restored).toBe(true);
    expect(next.messages().at(-1)?.content).toBe('Hi');
  });

  it('saves worlds by name, and restores and deletes them', async () => {
    const platform = await openPlatform();
    platform.simulator.sendMessage({ content: 'One' });
    await platform.act('role', { serverId: platform.serverId('Sandbox'), name: 'tester' });
    const saved = platform.simulator.snapshot();
    expect((await platform.act('snapshot', { action: 'save', name: 'one' })).body).toEqual({
      names: ['one'],
    });
    platform.simulator.sendMessage({ content: 'Two' });
    await platform.act('snapshot', { action: 'save', name: 'a-two' });
    expect((await platform.act('snapshot')).body).toEqual({
      names: ['a-two', 'one'],
    });
    expect((await platform.act('snapshot', { action: 'restore', name: 'one' })).status).toBe(200);
    expect(contents(platform)).toEqual([WELCOME, 'One']);
    expect(platform.simulator.snapshot()).toEqual(saved);
    await platform.act('snapshot', { action: 'restore', name: 'a-two' });
    expect(contents(platform)).toEqual([WELCOME, 'One', 'Two']);
    const left = await platform.act('snapshot', { action: 'delete', name: 'one' });
    expect(left.body).toEqual({ names: ['a-two'] });
  });

  it.each([
    ['save', '../x', { status: 400, code: 'bot_validation_error', field: 'name' }],
    ['save', '', { status: 400, code: 'bot_validation_error', field: 'name' }],
    ['restore', 'none', { status: 404, code: 'bot_not_found' }],
    ['restore', 'foreign', { status: 409, code: 'sim_snapshot_foreign' }],
  ])('refuses to %s %j and changes nothing', async (action, name, expected) => {
    await using other = await startSimulator({ port: null, seed: 'other' });
    const platform = await openPlatform({
      snapshots: {
        names: () => ['foreign'],
        read: (name) => (name === 'foreign' ? other.save() : undefined),
        write: () => {},
        remove: () => {},
      },
    });
    platform.simulator.sendMessage({ content: 'Stays' });
    expect(refusalOf(await platform.act('snapshot', { action, name }))).toEqual(expected);
    expect(contents(platform)).toEqual([WELCOME, 'Stays']);
  });
});

describe('deleting', () => {
  it('removes a user from servers, roles and voice channels, and leaves the messages', async () => {
    const platform = await openPlatform();
    const userId = platform.userId('linus');
    platform.simulator.sendMessage({ content: 'Bye', as: 'linus' });
    await platform.act('voice', { as: 'linus' });
    expect((await platform.act('user', { id: userId, remove: true })).status).toBe(200);
    expect(JSON.stringify(platform.simulator.snapshot())).not.toContain(userId);
    expect(platform.simulator.messages().at(-1)).toMatchObject({
      content: 'Bye',
      authorUsername: 'deleted-user',
    });
  });

  it('removes a channel with its messages, and a server with its channels, for the bot too', async () => {
    const platform = await openPlatform();
    const second = platform.serverId('Second');
    await platform.act('channel', { id: platform.channelId('long-history'), remove: true });
    await platform.act('server', { id: second, remove: true });
    const { channels, servers, roles, emojis } = platform.simulator.snapshot();
    expect(channels.map(({ name }) => name)).not.toContain('long-history');
    expect(servers.map(({ name }) => name)).toEqual(['Sandbox', 'Elsewhere']);
    for (const items of [channels, roles, emojis])
      expect(items.filter(({ serverId }) => serverId === second)).toEqual([]);
    expect((await platform.call('servers.channels', { serverId: second })).status).toBe(404);
    expect(platform.simulator.messageCount).toBeLessThan(250);
  });

  it('is saved, whatever was deleted', async () => {
    const platform = await openPlatform();
    let text = platform.simulator.save();
    platform.simulator.journal((line) => (text += line));
    await platform.act('user', { id: platform.userId('linus'), remove: true });
    await platform.act('channel', { id: platform.channelId('bot-spam'), remove: true });
    await platform.act('server', { id: platform.serverId('Second'), remove: true });
    const { servers, channels, users, roles } = platform.simulator.snapshot();
    for (const saved of [text, platform.simulator.save()]) {
      await using again = await startSimulator({ port: null, saved });
      expect(again.restored).toBe(true);
      expect(again.snapshot()).toMatchObject({ servers, channels, users, roles });
      expect(again.messageCount).toBe(platform.simulator.messageCount);
    }
  });

  it.each([
    ['user', (platform: Platform) => platform.userId('ada'), 'userId'],
    ['user', (platform: Platform) => platform.userId('demo-bot'), 'userId'],
    ['server', (platform: Platform) => platform.serverId('Sandbox'), 'serverId'],
    ['channel', (platform: Platform) => platform.channelId('general', 'Second'), 'channelId'],
  ])('refuses what the simulator needs: one %s', async (kind, idOf, field) => {
    const platform = await openPlatform();
    const before = platform.simulator.snapshot();
    const reply = await platform.act(kind, { id: idOf(platform), remove: true });
    expect(refusalOf(reply)).toEqual({ status: 400, code: 'bot_validation_error', field });
    expect(platform.simulator.snapshot()).toEqual(before);
  });
});

describe('follow', () => {
  it('returns the interaction with its messages', async () => {
    const platform = await openPlatform();
    const { id } = await runCommand(platform);
    const body = { content: 'Because' };
    await platform.call('interactions.respond', { interactionId: id }, { body });
    await platform.call('interactions.followUp', { interactionId: id }, { body });
    expect((await platform.act('follow', { id })).body).toMatchObject({
      interaction: { id, state: 'answered', rawInput: '/ask why' },
      replies: [{ content: 'Because' }, { content: 'Because' }],
    });
  });

  it('waits for the end of a burst, and for a bot that is typing', async () => {
    const platform = await openPlatform();
    const handler = { name: 'MESSAGE_CREATE', file: 'events/message-create.ts', burstMs: 500 };
    platform.simulator.answerWith(async () => ({ value: [handler] }));
    const bot = await platform.connect();
    const said = platform.act('say', { content: 'Hi', seconds: 20 });
    const { id, channelId } = await bot.event('MESSAGE_CREATE');
    const headers = { [SIM_CAUSE_HEADER]: id };
    await systemClock.sleep(700);
    await platform.call('channels.typing', { channelId }, { headers });
    await systemClock.sleep(700);
    await platform.call('messages.send', { channelId }, { headers, body: { content: 'Hello' } });
    const { body } = await said;
    expect(body).toMatchObject({ handlers: [handler.file], replies: [{ content: 'Hello' }] });
  });

  it('returns what a bot that names no cause wrote in the channel, unless `virgule dev` runs', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    const write = async (channelId: string, content: string) => {
      await platform.call('messages.send', { channelId }, { body: { content } });
      await bot.event('MESSAGE_CREATE');
    };
    const repliesTo = async (content: string) => {
      const said = platform.act('say', { content, seconds: 20 });
      const { id, channelId } = await bot.event('MESSAGE_CREATE');
      await write(platform.channelId('bot-spam'), 'elsewhere');
      await write(channelId, `to ${content}`);
      // A bot may read the channel again and again.
      let isOver = false;
      const over = said.finally(() => (isOver = true));
      while (!isOver) await platform.call('messages.list', { channelId });
      const { body } = await over;
      expect(body).not.toHaveProperty('note');
      const followed = await platform.act('follow', { id, seconds: 0 });
      return [body, followed.body].map((each) =>
        (each as SimOutcome).replies.map((reply) => reply.content),
      );
    };
    expect(await repliesTo('one')).toEqual([['to one'], []]);
    expect(await repliesTo('two')).toEqual([['to two'], []]);
    platform.simulator.answerWith(async () => ({ value: [] }));
    expect(await repliesTo('three')).toEqual([[], []]);
  });
});
