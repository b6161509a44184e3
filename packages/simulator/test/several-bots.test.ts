import { botMeSchema, commandSchema, messageSchema } from '@virgule/core/protocol';
import type { SimBot } from '@virgule/core/simulator-api';
import { createFakeClock } from '@virgule/core/clock';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it } from 'vitest';
import { openPlatform, refusalOf, type Platform, type Reply } from './open-platform.js';

const JSON_HEADERS = { 'content-type': 'application/json' };

/** Opens a simulator with a second bot, and acts as the second bot. */
async function openWithMusic() {
  const platform = await openPlatform({ bots: [{ username: 'music', displayName: 'Music' }] });
  const music = botNamed(platform, 'music');
  const asMusic = (method: string, path: string, body?: unknown): Promise<Reply> =>
    platform.send(method, `/api/bot/v1${path}`, {
      headers: { ...JSON_HEADERS, authorization: `Bot ${music.token}` },
      body,
    });
  const register = (...names: string[]) =>
    asMusic('PUT', '/commands', {
      commands: names.map((name) => ({ name, description: `Music: ${name}`, options: [] })),
    });
  return { platform, music, asMusic, register, demo: platform.simulator.snapshot().bot };
}

function botNamed(platform: Platform, username: string): SimBot {
  const found = platform.simulator.snapshot().bots.find((bot) => bot.username === username);
  if (found === undefined) throw new Error(`There is no bot ${username}.`);
  return found;
}

describe('a second bot', () => {
  it('has a token, an identity and servers of its own', async () => {
    const { platform, music, asMusic } = await openWithMusic();
    expect(botMeSchema.parse((await asMusic('GET', '/users/@me')).body)).toEqual({
      applicationId: music.applicationId,
      botUserId: music.botUserId,
      username: 'music',
      displayName: 'Music',
    });
    const serverId = platform.serverId('Second');
    await platform.act('server', { id: serverId, botIds: [music.botUserId] });
    expect((await asMusic('GET', `/servers/${serverId}/channels`)).status).toBe(200);
    expect((await platform.call('servers.channels', { serverId })).status).toBe(404);
  });

  it('has commands of its own, and only it receives and answers their interactions', async () => {
    const { platform, music, asMusic, register, demo } = await openWithMusic();
    const first = await platform.connect();
    const second = await platform.connect({ token: music.token });
    await platform.register('help', 'roll');
    await register('help', 'play');
    const own = commandSchema.array().parse((await asMusic('GET', '/commands')).body);
    expect(own.map(({ name }) => name)).toEqual(['help', 'play']);
    const run = (rawInput: string) => platform.simulator.run({ rawInput });
    expect(
      ['/help', '/play', '/help@music', '/HELP@Demo-Bot x'].map((line) => run(line).botUserId),
    ).toEqual([demo.botUserId, music.botUserId, music.botUserId, demo.botUserId]);
    expect(await first.eventNames()).toEqual(['APPLICATION_COMMAND', 'APPLICATION_COMMAND']);
    expect(await second.eventNames()).toEqual(['APPLICATION_COMMAND', 'APPLICATION_COMMAND']);
    const { id } = run('/play');
    const answer = { content: 'Playing', ephemeral: false };
    const refused = await platform.call(
      'interactions.respond',
      { interactionId: id },
      { body: answer },
    );
    expect(refusalOf(refused)).toEqual({ status: 404, code: 'bot_interaction_not_found' });
    await asMusic('POST', `/interactions/${id}/response`, answer);
    expect(platform.lastMessage('general')).toMatchObject({
      authorId: music.botUserId,
      authorDisplayName: 'Music',
      content: 'Playing',
    });
  });

  it('receives the messages of the first one, and cannot edit them', async () => {
    const { platform, music, asMusic } = await openWithMusic();
    const second = await platform.connect({ token: music.token });
    const channelId = platform.channelId('general');
    const sent = await platform.call('messages.send', { channelId }, { body: { content: 'Hi' } });
    const { id } = messageSchema.parse(sent.body);
    expect((await second.event('MESSAGE_CREATE')).id).toBe(id);
    const edit = asMusic('PATCH', `/channels/${channelId}/messages/${id}`, { content: 'No' });
    expect((await edit).status).toBe(403);
  });

  it('stays connected when a socket of the first one is replaced or dropped', async () => {
    const { platform, music } = await openWithMusic();
    const first = await platform.connect();
    const second = await platform.connect({ token: music.token });
    await platform.connect();
    expect(await first.closeCode()).toBeGreaterThan(1000);
    const drop = await platform.act('drop', { bot: 'demo-bot', code: 4000 });
    expect(drop.body).toEqual({ dropped: 1 });
    expect(second.closed).toBeUndefined();
    expect(botNamed(platform, 'music')).toMatchObject({ connected: true, identifies: 1 });
    platform.simulator.dropGateway(4000);
    expect(await second.closeCode()).toBe(4000);
  });

  it('is named in the rows of the trace, and in the rule of a fault', async () => {
    const { platform, asMusic } = await openWithMusic();
    await platform.act('faults', {
      rules: [
        { name: 'x', on: { request: '*' }, bot: 'music', do: { type: 'status', status: 500 } },
      ],
    });
    expect((await asMusic('GET', '/servers')).status).toBe(500);
    expect((await platform.call('servers.list')).status).toBe(200);
    const { body } = await platform.act('trace');
    const { rows } = body as { rows: { what: string; bot?: string }[] };
    expect(
      rows.filter(({ what }) => what === 'GET /api/bot/v1/servers').map(({ bot }) => bot),
    ).toEqual(['music', 'demo-bot']);
  });

  it('is named from its IDENTIFY on, which a fault of it can prevent', async () => {
    const { platform, music } = await openWithMusic();
    await platform.act('faults', {
      rules: [
        { name: 'x', on: { frame: 'IDENTIFY' }, bot: 'music', do: { type: 'close', code: 4000 } },
      ],
    });
    await platform.connect();
    const refused = await platform.connect({ identify: false });
    refused.send({ op: 'IDENTIFY', d: { token: music.token } });
    expect(await refused.closeCode()).toBe(4000);
    const identifies = platform.simulator.trace().filter(({ what }) => what === 'IDENTIFY');
    expect(identifies.map(({ bot }) => bot)).toEqual(['demo-bot', 'music']);
  });

  it('is added while it runs, and is there again after a restart with the same name', async () => {
    const platform = await openPlatform();
    const add = (body: object) => platform.act('bot', body);
    const events: unknown[] = [];
    platform.simulator.on((event) => events.push(event.type));
    const { body: music } = await add({ username: 'music' });
    expect(music).toEqual(botNamed(platform, 'music'));
    expect(events).toContain('bot');
    expect((await add({ username: 'music' })).body).toEqual(music);
    expect((await add({ username: 'ada' })).status).toBe(400);
    const { botUserId } = music as SimBot;
    const isIn = ({ servers }: ReturnType<typeof platform.simulator.snapshot>) =>
      servers.map(({ botIds }) => botIds.includes(botUserId));
    expect(isIn(platform.simulator.snapshot())).toEqual([true, true, false]);
    const serverId = platform.serverId('Second');
    await platform.act('server', { id: serverId, botIds: [] });
    await using next = await startSimulator({
      clock: createFakeClock(),
      pageDir: null,
      saved: platform.simulator.save(),
    });
    expect(next.addBot({ username: 'music' })).toMatchObject({ ...botNamed(platform, 'music') });
    expect(isIn(next.snapshot())).toEqual([true, false, false]);
  });

  it('is deleted with its commands, and disconnected as if its token had been revoked', async () => {
    const { platform, music, register, demo } = await openWithMusic();
    await register('play');
    const { servers, users } = (await openPlatform()).simulator.snapshot();
    const socket = await platform.connect({ token: music.token });
    const remove = (id: string) => platform.act('bot', { id, remove: true });
    expect((await remove(music.botUserId)).status).toBe(200);
    expect(await socket.closeCode()).toBe(4004);
    expect(platform.simulator.snapshot()).toMatchObject({ bots: [demo], servers, users });
    expect(() => platform.simulator.run({ rawInput: '/play' })).toThrow('/play');
    expect((await remove(music.botUserId)).status).toBe(404);
    expect((await remove(demo.botUserId)).status).toBe(400);
  });

  it('stays when the world is reset', async () => {
    const { platform, music, register } = await openWithMusic();
    await register('play');
    const { servers } = platform.simulator.snapshot();
    await platform.act('reset');
    expect(platform.simulator.snapshot().servers).toEqual(servers);
    expect(platform.simulator.run({ rawInput: '/play' }).botUserId).toBe(music.botUserId);
  });
});
