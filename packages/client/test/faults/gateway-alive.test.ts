import { silentLog } from '@virgule/core/log';
import { createGateway, type Gateway, type GatewayStatus } from '@virgule/client/gateway';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runs } from '../../../core/test/fixtures/property-runs.js';
import { ACK } from '../test-gateway.js';
import { CHANNEL, INTERACTION, TOKEN } from '../test-rest.js';
import { startGatewayServer, type Peer } from './gateway-server.js';
import { openGatewayWorld } from './gateway-world.js';
import { countTimers, expectNoHandles } from './handles.js';
import { openRestWorld } from './rest-world.js';
import { createTestClock } from './test-clock.js';
import { eventually } from '../eventually.js';

const BOTS = runs(1_000);

const hello = (heartbeatInterval: number): unknown => ({ op: 'HELLO', d: { heartbeatInterval } });

/** With chance in the middle and the interval of the fixture, beats are sent at these times. */
const BEAT_MS = { first: 13_750, second: 38_750 };

describe('a connected gateway', () => {
  it('#42 one missing ACK: the connection is replaced 10 s after the heartbeat, and the gap is reported', async () => {
    const world = await openGatewayWorld({
      beat: (peer, count) => {
        if (peer.index > 0 || count > 1) peer.send(ACK);
      },
    });
    await world.ready(1, 0);
    await world.live(BEAT_MS.first + 9_000);
    expect(world.reasons).toEqual([]);
    await world.ready(2, 100);
    expect(world.reasons).toEqual(['no answer to a heartbeat in 10000 ms']);
    expect(world.gaps).toBe(1);
    await world.live(60_000);
    expect(world.reasons).toHaveLength(1);
    await world.end();
  });

  it('#42 ACK late by the interval + 1 ms: the connection is replaced, the late ACK is ignored', async () => {
    const late: (() => void)[] = [];
    const world = await openGatewayWorld({
      opened: (peer) => peer.send(hello(5_000)),
      beat: (peer) => {
        if (peer.index === 0) late.push(() => peer.send(ACK));
        else peer.send(ACK);
      },
    });
    await world.ready(1, 0);
    await world.clock.push(50, () => expect(late.length).toBeGreaterThan(0));
    await world.clock.push(50, () => expect(world.reasons).toHaveLength(1));
    for (const answer of late) answer();
    await world.ready(2, 50);
    expect(world.reasons).toEqual(['no answer to a heartbeat in 5000 ms']);
    await world.live(30_000);
    expect(world.reasons).toHaveLength(1);
    expect(world.gateway.frames.unexpected).toBe(0);
    await world.end();
  });

  it.each([
    ['#43 peer silent, its socket paused', (peer: Peer) => peer.stream.pause(), undefined],
    ['#44 half-open TCP, every byte is lost', undefined, () => ({})],
  ])('%s: terminated, and ready again within the deadline + 1 s', async (_what, silence, plan) => {
    const world = await openGatewayWorld(plan ? { plan } : {});
    await world.ready(1, 0);
    const [peer] = world.server.peers;
    await world.clock.push(250, () => expect(peer?.received).toContain('HEARTBEAT'));
    await world.live(1_000);
    if (peer && silence) silence(peer);
    else world.proxy.swallow();
    peer?.message('into the void');
    await world.ready(2, 100);
    expect(world.clock.elapsedMs).toBeGreaterThanOrEqual(BEAT_MS.second + 10_000);
    expect(world.clock.elapsedMs).toBeLessThanOrEqual(BEAT_MS.second + 11_000 + 250);
    expect(world.reasons).toEqual(['no answer to a heartbeat in 10000 ms']);
    await world.end();
  });

  it('#53 reconnect while a handler runs: its answer still goes out, once', async () => {
    const world = await openGatewayWorld({
      dispatch: () => {
        web.call(`respond ${INTERACTION}`, async (rest) => {
          await world.clock.sleep(3_000);
          return rest.interactions.respond(INTERACTION, { content: 'done' });
        });
      },
    });
    const web = await openRestWorld({ clock: world.clock, isGuest: true });
    await world.ready();
    world.server.last.command(INTERACTION);
    await eventually(() => expect(web.calls).toHaveLength(1));
    world.server.last.stream.resetAndDestroy();
    await world.ready(2);
    expect(web.calls[0]?.settlements).toBe(0);
    await web.settle();
    expect(web.calls[0]?.error).toBeUndefined();
    await web.end();
    await world.end();
  });

  it('#55 laptop sleeps 10 min, the connection survives: buffered frames are read before it is judged', async () => {
    const world = await openGatewayWorld({
      beat: (peer, count) => {
        peer.send(ACK);
        if (count > 1) return;
        peer.message('while asleep');
        world.clock.stall(600_000, { fireTimers: true });
      },
    });
    await world.ready(1, 0);
    await world.clock.push(250, () => expect(world.ids).toEqual(['while asleep']));
    await world.live(60_000);
    expect(world.reasons).toEqual([]);
    await world.end();
  });

  it.each([
    ['was reset meanwhile', (peer: Peer) => void peer.stream.resetAndDestroy()],
    ['died without a word', undefined],
  ])(
    '#55 laptop sleeps 10 min, the connection %s: replaced soon, and the gap is reported',
    async (_what, kill) => {
      const world = await openGatewayWorld({ plan: () => ({}) });
      await world.ready(1, 0);
      world.server.last.message('before');
      await eventually(() => expect(world.ids).toEqual(['before']));
      await world.live(5_000);
      const [peer] = world.server.peers;
      if (peer && kill) kill(peer);
      else world.proxy.swallow();
      world.clock.stall(600_000, { fireTimers: true });
      const awakeMs = world.clock.elapsedMs;
      await world.ready(2, 100);
      expect(world.clock.elapsedMs - awakeMs).toBeLessThanOrEqual(40_000);
      const gap = world.statuses.find((status) => status.state === 'gap');
      expect(gap?.ms).toBeGreaterThanOrEqual(600_000);
      await world.end();
    },
  );

  it(`#56 server restart under ${BOTS} bots: they come back spread out, each with few attempts`, async () => {
    const timersBefore = countTimers();
    const clock = createTestClock();
    const arrivals: number[] = [];
    let downUntilMs = 0;
    const server = await startGatewayServer({
      upgrade: () => {
        arrivals.push(clock.elapsedMs);
        return clock.elapsedMs < downUntilMs ? { status: 503 } : 'grant';
      },
    });
    const bots: Gateway[] = [];
    const ready = new Map<number, number>();
    for (let index = 0; index < BOTS; index += 1) {
      const gateway = createGateway({
        log: silentLog,
        token: TOKEN,
        gatewayUrl: `ws://${server.address}`,
        clock,
        random: seededRandom(index + 1),
      });
      onTestFinished(() => void gateway.close());
      const status = ({ state }: GatewayStatus): void => {
        if (state === 'ready') ready.set(index, (ready.get(index) ?? 0) + 1);
      };
      gateway.connect({ dispatch: () => {}, status }).catch(() => {});
      bots.push(gateway);
    }
    const readyTimes = (times: number): number =>
      [...ready.values()].filter((count) => count >= times).length;
    await clock.push(1, () => expect(readyTimes(1)).toBe(BOTS));
    arrivals.length = 0;
    const restartMs = clock.elapsedMs;
    downUntilMs = restartMs + 5_000;
    for (const { stream } of server.peers) stream.destroy();
    await clock.push(50, () => expect(readyTimes(2)).toBe(BOTS));

    const perTenth = new Map<number, number>();
    for (const atMs of arrivals) {
      const tenth = Math.floor((atMs - restartMs) / 100);
      perTenth.set(tenth, (perTenth.get(tenth) ?? 0) + 1);
    }
    expect(arrivals.length).toBeLessThan(6 * BOTS);
    // Spread evenly over the first second, a tenth of it would see a tenth of them, and the next try.
    expect(Math.max(...perTenth.values())).toBeLessThan(BOTS / 4);
    await Promise.all(bots.map((bot) => bot.close()));
    await eventually(() => expect(server.open).toBe(0));
    await server.close();
    expect(clock.pending).toBe(0);
    await expectNoHandles(timersBefore);
  });

  it('#57 gap: 3 messages sent while disconnected are recovered in order, commands are reported as lost', async () => {
    const clock = createTestClock();
    const web = await openRestWorld({ clock, isGuest: true });
    const world = await openGatewayWorld({
      clock,
      upgrade: (index) => (index === 1 || index === 2 ? { status: 503 } : 'grant'),
      gateway: { backfill: { rest: web.rest, channels: () => [CHANNEL] } },
    });
    const send = (content: string): Promise<unknown> => {
      web.call(`send ${CHANNEL} ${content}`, (rest) => rest.messages.send(CHANNEL, { content }));
      return web.settle();
    };
    await world.ready();
    await send('seen');
    const seen = web.calls[0]?.value as { readonly id: string; readonly createdAt: string };
    world.server.last.message(seen.id, { channelId: CHANNEL, createdAt: seen.createdAt });
    await eventually(() => expect(world.ids).toEqual([seen.id]));
    world.server.last.stream.destroy();
    await clock.push(0, () => expect(world.reasons).toHaveLength(1));
    for (const content of ['missed 1', 'missed 2', 'missed 3']) await send(content);
    await world.ready(2);
    await clock.push(20, () => expect(world.events).toHaveLength(4));
    expect(world.events.map(({ d }) => Object(d).content).slice(1)).toEqual([
      'missed 1',
      'missed 2',
      'missed 3',
    ]);
    expect(world.events.map(({ recovered }) => recovered)).toEqual([undefined, true, true, true]);
    const gap = world.statuses.find((status) => status.state === 'gap');
    expect(gap?.unrecoverable).toContain('APPLICATION_COMMAND');
    expect(gap?.unrecoverable).not.toContain('MESSAGE_CREATE');
    await web.end();
    await world.end();
  });
});

/** Chance that is the same in every run. */
function seededRandom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
