import type { SimEvent, SimPlaces } from '@virgule/core/simulator-api';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it } from 'vitest';
import { openPlatform, refusalOf, type Platform } from './open-platform.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** Makes a valid change, and returns the id of the changed record. */
async function changed(platform: Platform, kind: string, input: object): Promise<string> {
  const reply = await platform.act(kind, input);
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return (reply.body as { id: string }).id;
}

describe('user', () => {
  it('adds a user, who can act at once, and changes the name', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    const id = await changed(platform, 'user', { username: 'new-user' });
    const { authorId } = platform.simulator.sendMessage({ content: 'Hi', as: 'new-user' });
    expect(authorId).toBe(id);
    expect((await bot.event('MESSAGE_CREATE')).authorDisplayName).toBe('new-user');
    await changed(platform, 'user', { id: id, displayName: 'New', role: 'guest' });
    const user = platform.simulator.snapshot().users.find((each) => each.id === id);
    expect(user).toMatchObject({ displayName: 'New', role: 'guest', isBot: false });
    expect(user?.token).toContain('new-user');
  });

  it('makes the user a member of the servers that are named', async () => {
    const platform = await openPlatform();
    const second = platform.serverId('Second');
    const id = await changed(platform, 'user', { username: 'x', serverIds: [second] });
    const { servers } = platform.simulator.snapshot();
    expect(servers.filter(({ memberIds }) => memberIds.includes(id))).toMatchObject([
      { name: 'Second' },
    ]);
  });
});

describe('server', () => {
  it('adds a server with a channel, which the bot sees', async () => {
    const platform = await openPlatform();
    const id = await changed(platform, 'server', { name: 'New' });
    expect((await platform.call('servers.channels', { serverId: id })).body).toMatchObject([
      { name: 'general', serverId: id },
    ]);
    platform.simulator.sendMessage({
      content: 'Hi',
      channel: platform.channelId('general', 'New'),
    });
  });

  it('installs and removes the bot', async () => {
    const platform = await openPlatform();
    const id = platform.serverId('Elsewhere');
    const list = () => platform.call('servers.channels', { serverId: id });
    expect((await list()).status).toBe(404);
    const { botUserId } = platform.simulator.snapshot().bot;
    await changed(platform, 'server', { id: id, botIds: [botUserId] });
    expect((await list()).status).toBe(200);
    const { servers } = platform.simulator.snapshot();
    const members = servers.find((server) => server.id === id)?.memberIds;
    expect(members).toContain(botUserId);
    await changed(platform, 'server', { id: id, botIds: [] });
    expect((await list()).status).toBe(404);
  });

  it('keeps its owner as a member', async () => {
    const platform = await openPlatform();
    const id = platform.serverId('Sandbox');
    await changed(platform, 'server', { id: id, memberIds: [] });
    const { servers, bot } = platform.simulator.snapshot();
    expect(servers.find((server) => server.id === id)?.memberIds).toEqual([
      platform.userId('ada'),
      bot.botUserId,
    ]);
  });
});

describe('channel', () => {
  it('adds channels of both kinds after the others', async () => {
    const platform = await openPlatform();
    const serverId = platform.serverId('Sandbox');
    await changed(platform, 'channel', { serverId, name: 'new' });
    await changed(platform, 'channel', { serverId, name: 'New', kind: 'voice' });
    const { body } = await platform.call('servers.channels', { serverId });
    expect((body as { name: string }[]).slice(-2)).toMatchObject([
      { name: 'new', topic: null, position: 7 },
      { name: 'New', position: 8 },
    ]);
  });

  it('hides a channel from the bot, and takes its permissions', async () => {
    const platform = await openPlatform();
    const channelId = platform.channelId('general');
    const { id: messageId } = platform.lastMessage();
    const remove = () => platform.call('messages.delete', { channelId, messageId });
    await changed(platform, 'channel', { id: channelId, botPermissions: [] });
    expect(refusalOf(await remove())).toEqual({ status: 403, code: 'bot_forbidden' });
    await changed(platform, 'channel', { id: channelId, visibleToBot: false });
    expect(refusalOf(await remove())).toEqual({ status: 404, code: 'bot_not_found' });
    await changed(platform, 'channel', {
      id: channelId,
      visibleToBot: true,
      botPermissions: ['ManageMessages'],
      name: 'renamed',
      topic: 'New topic',
    });
    expect((await remove()).status).toBeLessThan(300);
    expect(platform.simulator.snapshot().channels.find(({ id }) => id === channelId)).toMatchObject(
      {
        name: 'renamed',
        topic: 'New topic',
        botPermissions: ['ManageMessages'],
      },
    );
  });
});

describe('role', () => {
  it('adds and changes a role', async () => {
    const platform = await openPlatform();
    const serverId = platform.serverId('Sandbox');
    const id = await changed(platform, 'role', { serverId, name: 'new' });
    const memberIds = [platform.userId('linus')];
    await changed(platform, 'role', { id: id, memberIds });
    const { roles } = platform.simulator.snapshot();
    expect(roles.find((role) => role.id === id)).toEqual({ id, serverId, name: 'new', memberIds });
  });
});

describe('the maximum number', () => {
  it.each([
    ['user', { username: 'one-more' }, 'A simulator has at most 1000 users.'],
    ['server', { name: 'One more' }, 'A simulator has at most 100 servers.'],
  ])('of each %s can be reached', async (kind, body, message) => {
    const platform = await openPlatform();
    const add = (n: number) =>
      platform.simulator.act(kind, kind === 'user' ? { username: `user-${n}` } : { name: `${n}` });
    // The seed has 5 users and 3 servers.
    for (let n = kind === 'user' ? 6 : 4; n < (kind === 'user' ? 1_000 : 100); n += 1) await add(n);
    await changed(platform, kind, body);
    const reply = await platform.act(kind, kind === 'user' ? { username: 'too-many' } : body);
    expect([reply.status, reply.body]).toEqual([400, expect.objectContaining({ message })]);
  });
});

describe('changes of users, servers, channels and roles', () => {
  it('reach the open pages', async () => {
    const platform = await openPlatform();
    const events: SimEvent[] = [];
    platform.simulator.on((event) => events.push(event));
    await changed(platform, 'user', { username: 'new-user' });
    const { servers, channels, users, roles } = platform.simulator.snapshot();
    const places: SimPlaces = { servers, channels, users, roles };
    expect(events.at(-1)).toEqual({ type: 'places', places });
  });

  it('are saved with the messages, and those of a later run come after them', async () => {
    const platform = await openPlatform();
    let text = platform.simulator.save();
    platform.simulator.journal((line) => (text += line));
    await changed(platform, 'server', { name: 'New' });
    await changed(platform, 'user', { username: 'new-user' });
    const channel = platform.channelId('general', 'New');
    await changed(platform, 'channel', { id: channel, visibleToBot: false });
    platform.simulator.sendMessage({ content: 'remember me', channel });
    const before = platform.simulator.snapshot();
    for (const saved of [text, platform.simulator.save()]) {
      await using again = await startSimulator({ port: null, saved });
      const after = again.snapshot();
      expect(after.servers).toEqual(before.servers);
      expect(after.users).toEqual(before.users);
      expect(after.channels).toEqual(before.channels);
      expect(again.messages(channel).map(({ content }) => content)).toEqual(['remember me']);
      // A world that is saved again has the channels too.
      await using third = await startSimulator({ port: null, saved: again.save() });
      expect(third.snapshot().channels).toEqual(before.channels);
    }
  });

  it.each<[kind: string, input: object, status: number, field?: string]>([
    ['user', { username: 'ada' }, 400, 'username'],
    ['user', { username: 'two words' }, 400, 'username'],
    ['user', { username: 'x', displayName: '' }, 400, 'displayName'],
    ['user', { username: 'x', serverIds: [UNKNOWN_ID] }, 404],
    ['user', { id: UNKNOWN_ID, displayName: 'x' }, 404],
    ['user', { id: 'x', displayName: 'x' }, 400, 'id'],
    ['server', {}, 400, 'name'],
    ['server', { id: UNKNOWN_ID, name: 'x' }, 404],
    ['channel', { serverId: UNKNOWN_ID, name: 'x' }, 404],
    ['channel', { serverId: UNKNOWN_ID, name: 'x', kind: 'x' }, 400, 'kind'],
    ['channel', { id: UNKNOWN_ID, unknown: 'x' }, 400],
    ['role', { serverId: UNKNOWN_ID, name: 'x' }, 404],
    ['role', { id: UNKNOWN_ID }, 404],
  ])('%s %j is refused', async (kind, input, status, field) => {
    const platform = await openPlatform();
    const before = platform.simulator.snapshot();
    const reply = await platform.act(kind, input);
    expect(refusalOf(reply)).toMatchObject({ status, ...(field !== undefined && { field }) });
    expect(platform.simulator.snapshot()).toEqual(before);
  });

  it('leaves the bots of the seed as they are', async () => {
    const platform = await openPlatform();
    const reply = await platform.act('user', {
      id: platform.userId('demo-bot'),
      displayName: 'x',
    });
    expect(refusalOf(reply)).toMatchObject({ status: 400, field: 'userId' });
  });
});

it('a user who was added can run commands with the token in the snapshot', async () => {
  const platform = await openPlatform();
  const id = await changed(platform, 'user', { username: 'new-user' });
  await platform.register('ask');
  const { users, commands } = platform.simulator.snapshot();
  const token = users.find((user) => user.id === id)?.token ?? '';
  const path = `/api/channels/${platform.channelId('general')}/interactions/commands`;
  const reply = await platform.send('POST', path, {
    headers: { authorization: `Bearer ${token}` },
    body: { commandId: commands[0]?.id, rawInput: '/ask' },
  });
  expect(reply.status).toBe(200);
});
