import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { connectGateway, live, makeReady, type TestGateway } from './test-gateway.js';

const HINT = /another process probably uses this token/;

const reconnects = ({ statuses }: TestGateway) =>
  statuses.flatMap((status) => (status.state === 'reconnecting' ? [status] : []));

const delays = (test: TestGateway) => reconnects(test).map(({ delayMs }) => delayMs);

/** Brings the next connection to READY, and ends it after a while. */
async function replace(
  test: TestGateway,
  livesMs: number,
  code = 4009,
  reason = 'replaced',
): Promise<void> {
  makeReady(test);
  await live(test, livesMs);
  test.sockets.last.hangUp(code, reason);
  await test.clock.advance(reconnects(test).at(-1)?.delayMs ?? 0);
}

describe('a connection that the platform replaces', () => {
  it('says the second time in a minute what that means, and slows down step by step', async () => {
    const test = connectGateway();
    for (const livesMs of [12_000, 3_000, 3_000, 5_000]) await replace(test, livesMs);
    expect(reconnects(test)).toMatchObject([
      { reason: 'closed with code 4009 "replaced"', delayMs: 500 },
      { reason: expect.stringMatching(HINT), delayMs: 2_500 },
      { reason: expect.stringMatching(HINT), delayMs: 5_000 },
      { reason: expect.stringMatching(HINT), delayMs: 10_000 },
    ]);
    expect(test.log.filter((line) => HINT.test(line))).toHaveLength(3);
  });

  it('waits some seconds at most when no reason speaks of another connection', async () => {
    const test = connectGateway();
    // Long enough for the answer to a heartbeat, which resets the backoff.
    for (let n = 0; n < 4; n += 1) await replace(test, 4_000, 4000, 'bye');
    expect(Math.max(...delays(test))).toBeLessThanOrEqual(7_500);
    expect(test.log.filter((line) => HINT.test(line))).not.toEqual([]);
  });

  it.each([
    ['a minute later', 61_000, 4009, 'replaced'],
    ['by a platform that renews connections', 25_000, 4000, 'server restart'],
    ['by a policy of the platform', 25_000, 1008, ''],
    ['by a load balancer', 12_000, 1001, 'replaced'],
    ['by a fault of the network', 12_000, 1006, ''],
    ['by a server that gives no reason', 12_000, 1000, ''],
  ])('is replaced within 1 s when the next one ends %s', async (_how, livesMs, code, reason) => {
    const test = connectGateway();
    for (let n = 0; n < 4; n += 1) await replace(test, livesMs, code, reason);
    expect(delays(test)).toEqual([500, 500, 500, 500]);
    expect(test.log.filter((line) => HINT.test(line))).toEqual([]);
  });

  it('costs a few seconds when the platform renews connections and says that it replaces them', async () => {
    const test = connectGateway();
    for (let n = 0; n < 4; n += 1) await replace(test, 25_000);
    expect(delays(test)).toEqual([500, 2_500, 500, 2_500]);
  });

  it('is replaced within 1 s again when one lived longer than the pause', async () => {
    const test = connectGateway();
    for (const livesMs of [12_000, 3_000, 3_000, 30_000]) await replace(test, livesMs);
    expect(delays(test)).toEqual([500, 2_500, 5_000, 500]);
  });

  it('leaves two processes with one token taking turns, and one of them always up', async () => {
    const clock = createFakeClock();
    let state = 20;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const bots = [connectGateway({ clock, random }), connectGateway({ clock, random })] as const;
    const isReady = ({ gateway }: TestGateway) => gateway.health().isReady;
    let downMs = 0;
    while (clock.elapsedMs < 3_600_000) {
      for (const bot of bots.filter((each) => !isReady(each))) {
        const rival = bots.find(isReady);
        makeReady({ ...bot, clock });
        if (isReady(bot)) rival?.sockets.last.hangUp(4009, 'replaced');
      }
      if (!bots.some(isReady)) downMs += 1_000;
      await Promise.all(bots.map((bot) => live({ ...bot, clock }, 1_000)));
    }
    expect(downMs).toBe(0);
    for (const { gateway } of bots) expect(gateway.counts.identifies).toBeLessThan(120);
  });
});
