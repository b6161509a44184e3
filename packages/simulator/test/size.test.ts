import { once } from 'node:events';
import { startSimulator, type SimulatorSize } from '@virgule/simulator';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openPlatform } from './open-platform.js';

describe('size of startSimulator', () => {
  it('is up to 1,000 users and 100 servers, which the bot and the page see', async () => {
    const platform = await openPlatform({ size: { users: 1_000, servers: 100 } });
    const { users, servers } = platform.simulator.snapshot();
    expect([
      users.filter(({ username }) => username !== 'demo-bot').length,
      servers.length,
    ]).toEqual([1_000, 100]);
    expect(new Set(users.map(({ id }) => id)).size).toBe(1_001);
    const bot = await platform.connect();
    const ready = bot.frames.find(({ t }) => t === 'READY');
    expect(ready?.d).toMatchObject({ serverIds: { length: 99 } });
    const message = platform.simulator.sendMessage({ content: 'Hello', as: 'user-1000' });
    expect(message.authorId).toBe(platform.userId('user-1000'));
    platform.simulator.sendMessage({
      content: 'Hello',
      channel: platform.channelId('general', 'Server 100'),
    });
    expect(await bot.eventNames()).toEqual(['MESSAGE_CREATE', 'MESSAGE_CREATE']);
  });

  it('keeps the ids of the usual world', async () => {
    const usual = await openPlatform();
    const large = await openPlatform({ size: { users: 6, servers: 4 } });
    const ids = ({ simulator }: typeof usual) =>
      simulator.snapshot().channels.map((channel) => channel.id);
    expect(ids(large)).toEqual([...ids(usual), large.channelId('general', 'Server 4')]);
  });

  it.each([
    [200, undefined],
    [2, 2],
    [200, 200],
  ])('accepts sockets up to the maximum: %j of %j', async (count, sockets) => {
    const max = sockets ?? 100;
    const { simulator } = await openPlatform({ size: { sockets } });
    const url = `${simulator.gatewayUrl}/gateway/bot`;
    const open: WebSocket[] = [];
    for (let n = 0; n < Math.min(count, max); n += 1) {
      const socket = new WebSocket(url);
      open.push(socket);
      await once(socket, 'message');
    }
    const [code, reason] = (await once(new WebSocket(url), 'close')) as [number, Buffer];
    expect([code, String(reason)]).toEqual([1013, `${max} sockets are open`]);
    expect(simulator.counts.sockets).toBe(max);
    for (const socket of open) socket.terminate();
  });

  it.each<[SimulatorSize, string]>([
    [{ users: 1_001 }, 'The number of users must be an integer from 5 to 1000, saw 1001.'],
    [{ users: 4 }, 'The number of users must be an integer from 5 to 1000, saw 4.'],
    [{ servers: 101 }, 'The number of servers must be an integer from 3 to 100, saw 101.'],
    [{ servers: 3.5 }, 'The number of servers must be an integer from 3 to 100, saw 3.5.'],
    [{ sockets: 201 }, 'The number of sockets must be an integer from 1 to 200, saw 201.'],
    [{ sockets: Number.NaN }, 'The number of sockets must be an integer from 1 to 200, saw NaN.'],
  ])('refuses %j', async (size, message) => {
    await expect(startSimulator({ port: null, size })).rejects.toMatchObject({
      code: 'E_SIM_SIZE',
      message,
    });
  });
});
