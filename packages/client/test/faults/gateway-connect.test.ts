import type { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { GatewaySocketOptions } from '@virgule/client/gateway';
import { HELLO } from '../test-gateway.js';
import { startGatewayServer, type Upgrade } from './gateway-server.js';
import { openGatewayWorld } from './gateway-world.js';
import { eventually } from '../eventually.js';

/** The first upgrade goes wrong, all others are granted. */
const firstOnly =
  (rule: Upgrade) =>
  (index: number): Upgrade =>
    index === 0 ? rule : 'grant';

/** A close frame as bytes: a server's WebSocket would not send every code. */
function closeFrame(code?: number): Buffer {
  if (code === undefined) return Buffer.from([0x88, 0]);
  return Buffer.from([0x88, 2, code >> 8, code & 0xff]);
}

describe('a gateway that cannot connect', () => {
  it('#39 no HELLO: closed after 10 s, and tried again', async () => {
    const world = await openGatewayWorld({
      opened: (peer) => {
        if (peer.index > 0) peer.send(HELLO);
      },
    });
    await eventually(() => expect(world.server.peers).toHaveLength(1));
    await world.clock.advance(9_999);
    expect(world.statuses).toEqual([]);
    await world.ready();
    expect(world.reasons).toEqual(['no HELLO in 10000 ms']);
    expect(world.server.peers[0]?.received).toEqual([]);
    await world.end();
  });

  it.each([
    ['missing', {}, 25_000],
    ['text', { heartbeatInterval: '5000' }, 25_000],
    ['zero', { heartbeatInterval: 0 }, 100],
    ['negative', { heartbeatInterval: -1 }, 100],
    ['absurd', { heartbeatInterval: 1e300 }, 300_000],
    ['a list', [], 25_000],
  ])('#40 HELLO with an interval that is %s: the bot works on, and says so', async (_w, d, ms) => {
    const world = await openGatewayWorld({ opened: (peer) => peer.send({ op: 'HELLO', d }) });
    await world.ready(1, 0);
    const { last } = world.server;
    expect(world.log).toHaveLength(1);
    // Chance is in the middle: the first beat comes at 0.55 of the interval, then one in each.
    await world.clock.advance(ms * 0.55 - 1);
    expect(last.received).toEqual(['IDENTIFY']);
    await world.clock.push(1, () => expect(last.received).toEqual(['IDENTIFY', 'HEARTBEAT']));
    last.command('hello');
    await eventually(() => expect(world.ids).toEqual(['hello']));
    expect(world.server.peers).toHaveLength(1);
    await world.end();
  });

  it('#41 no READY after IDENTIFY: closed after 15 s, and tried again', async () => {
    const world = await openGatewayWorld({
      identified: (peer) => {
        if (peer.index > 0) peer.ready();
      },
    });
    await eventually(() => expect(world.server.peers[0]?.received).toEqual(['IDENTIFY']));
    await world.clock.advance(14_000);
    expect(world.statuses).toEqual([]);
    await world.ready();
    expect(world.reasons).toEqual(['no READY in 15000 ms']);
    await world.end();
  });

  it('#45 close before HELLO, 100 times: pauses grow to half a minute, and nothing is identified', async () => {
    const world = await openGatewayWorld({
      opened: (peer) => (peer.index < 100 ? peer.socket.close(1011) : peer.send(HELLO)),
    });
    for (let round = 1; round <= 100; round += 1) await world.nextConnection(round);
    await world.ready();
    const growing = [500, 1_000, 2_000, 4_000, 8_000];
    expect(world.pausesMs).toEqual([...growing, ...Array<number>(95).fill(15_000)]);
    expect(world.gateway.counts.identifies).toBe(1);
    expect(world.gateway.counts.endings).toEqual({ 1011: 100 });
    await world.end();
  });

  it('#45 close after IDENTIFY, again and again: the identify budget of a minute holds, that of a day slows down', async () => {
    const identifiedMs: number[] = [];
    const server = await startGatewayServer({
      identified: (peer) => {
        identifiedMs.push(world.clock.elapsedMs);
        peer.socket.terminate();
      },
    });
    // The budget is not applied on this machine: the bot believes in an address far away.
    class Redirected extends WebSocket {
      constructor(url: string, options: GatewaySocketOptions) {
        super(url.replace('chat.test', server.address), options);
      }
    }
    const world = await openGatewayWorld({
      gateway: {
        gatewayUrl: 'ws://chat.test',
        WebSocket: Redirected,
        random: () => 0,
        profile: { identifies: { perMinute: 5, perDay: 100 } },
      },
    });
    for (let round = 1; round <= 102; round += 1) await world.nextConnection(round);
    await world.clock.push(10, () => expect(identifiedMs).toHaveLength(103));
    const most = (windowMs: number): number =>
      Math.max(
        ...identifiedMs.map(
          (start) => identifiedMs.filter((at) => at >= start && at < start + windowMs).length,
        ),
      );
    expect(most(60_000)).toBe(5);
    // 80 at any pace, then one in 14.4 minutes.
    expect(identifiedMs[79]).toBeLessThan(1_000_000);
    for (let each = 80; each < 103; each += 1) {
      const stepMs = (identifiedMs[each] ?? 0) - (identifiedMs[each - 1] ?? 0);
      expect(stepMs).toBeGreaterThanOrEqual(864_000);
      expect(stepMs).toBeLessThan(865_000);
    }
    await world.gateway.close();
    await server.close();
    await world.end();
  });

  it('#46 accept-then-close loop 1 s after READY: pauses grow all the same', async () => {
    const world = await openGatewayWorld();
    for (let round = 1; round <= 8; round += 1) {
      await world.ready(round);
      await world.clock.advance(1_000);
      world.server.last.socket.close(1001);
      await world.nextConnection(round);
    }
    await world.ready(9);
    expect(world.pausesMs).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
    expect(world.gaps).toBe(8);
    await world.end();
  });

  const codes = [
    1000, 1001, 1002, 1003, 1007, 1008, 1009, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4001, 4004,
    4008, 4010, 4014, 4999,
  ];
  it.each(codes)(
    '#47 close code %d after READY: replaced, and the gap is reported',
    async (code) => {
      const world = await openGatewayWorld();
      await world.ready();
      world.server.last.message('before');
      world.server.last.socket.close(code, 'bye');
      await world.ready(2);
      expect(world.reasons).toEqual([`closed with code ${code} "bye"`]);
      expect([world.ids, world.gaps]).toEqual([['before'], 1]);
      await world.end();
    },
  );

  it.each(codes)(
    '#47 close code %d before READY: the token is checked, and the connection replaced',
    async (code) => {
      const checkToken = vi.fn<() => Promise<'valid'>>(() => Promise.resolve('valid'));
      const world = await openGatewayWorld({
        identified: (peer) => (peer.index === 0 ? peer.socket.close(code) : peer.ready()),
        gateway: { checkToken },
      });
      await world.ready();
      expect(world.reasons).toEqual([`closed with code ${code}`]);
      expect(checkToken).toHaveBeenCalledTimes(code === 1008 || code >= 4000 ? 1 : 0);
      await world.end();
    },
  );

  it.each([1008, 4000, 4004, 4999])(
    '#47 close code %d before READY with a refused token: the client stops and reports it once',
    async (code) => {
      const world = await openGatewayWorld({
        identified: (peer) => peer.socket.close(code),
        gateway: { checkToken: () => Promise.resolve('refused') },
      });
      expect(await world.connected).toMatchObject({ code: 'E_UNAUTHORIZED' });
      await world.clock.advance(600_000);
      expect(world.server.upgrades).toBe(1);
      await world.end();
    },
  );

  it.each([
    ['none: the connection is cut', (stream) => stream.destroy(), /1006/],
    ['none: the connection is reset', (stream) => stream.resetAndDestroy(), /1006|ECONNRESET/],
    ['none: a close frame without a code', (stream) => stream.write(closeFrame()), /1005/],
    ['1006, forbidden on the wire', (stream) => stream.write(closeFrame(1006)), /1006/],
    ['1015, forbidden on the wire', (stream) => stream.write(closeFrame(1015)), /1015/],
  ] satisfies readonly (readonly [string, (stream: Socket) => unknown, RegExp])[])(
    '#47 close code %s: replaced, and the gap is reported',
    async (_what, cut, reason) => {
      const world = await openGatewayWorld();
      await world.ready();
      cut(world.server.last.stream);
      await world.ready(2);
      expect(world.reasons).toEqual([expect.stringMatching(reason)]);
      expect(world.gaps).toBe(1);
      await world.end();
    },
  );

  it.each([
    [404, undefined, 500],
    [429, '20', 21_000],
    [500, undefined, 500],
    [503, '7', 7_350],
    [503, 'Thu, 01 Jan 2099 00:00:00 GMT', 500],
    [429, '99999999', 315_000],
    [200, undefined, 500],
    [301, undefined, 500],
  ])(
    '#48 upgrade answered %d, Retry-After %s: tried again after the wait',
    async (status, retryAfter, ms) => {
      const headers: Record<string, string> =
        retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      const world = await openGatewayWorld({
        upgrade: firstOnly({ status, headers }),
      });
      await world.ready(1, 1_000);
      expect(world.pausesMs).toEqual([ms]);
      expect(world.reasons).toEqual([`the upgrade was answered ${status}`]);
      await world.end();
    },
  );

  it.each([401, 403])('#48 upgrade answered %d: the token is checked', async (status) => {
    const states = ['unknown', 'valid', 'refused'] as const;
    let asked = 0;
    const world = await openGatewayWorld({
      upgrade: () => ({ status }),
      gateway: {
        checkToken: async () => {
          asked += 1;
          return states[asked - 1] ?? 'refused';
        },
      },
    });
    let outcome: unknown;
    void world.connected.then((value) => (outcome = value));
    await world.clock.push(100, () => expect(outcome).toMatchObject({ code: 'E_UNAUTHORIZED' }));
    expect([asked, world.server.upgrades]).toEqual([3, 3]);
    await world.end();
  });

  it.each(['stall', 'reset'] as const)(
    '#48 upgrade never answered (%s): tried again',
    async (how) => {
      const world = await openGatewayWorld({ upgrade: firstOnly(how) });
      await world.ready(1, 100);
      expect(world.server.upgrades).toBe(2);
      await world.end();
    },
  );

  it('#54 the old socket closes after the new READY: nothing happens', async () => {
    const world = await openGatewayWorld({ plan: () => ({}) });
    await world.ready();
    const [old] = world.server.peers;
    // The network keeps the old connection's end to itself until later.
    old?.stream.pause();
    await world.clock.push(500, () => expect(world.reasons).toHaveLength(1));
    await world.ready(2);
    old?.stream.resume();
    old?.socket.close(4004, 'late');
    old?.stream.destroy();
    await world.clock.advance(1_000);
    world.server.last.command('still here');
    await eventually(() => expect(world.ids).toEqual(['still here']));
    await world.live(120_000);
    expect(world.reasons).toHaveLength(1);
    expect(world.server.peers).toHaveLength(2);
    await world.end();
  });
});
