import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { connectGateway, live, makeReady, type TestGateway } from './test-gateway.js';

const HINT = /another process probably uses this token/;

const reconnects = ({ statuses }: TestGateway) =>
  statuses.flatMap((status) => (status.state === 'reconnecting' ? [status] : []));

/** Brings the next connection to READY, and ends it after a while. */
async function replace(test: TestGateway, livesMs: number, code = 4009): Promise<void> {
  makeReady(test);
  await live(test, livesMs);
  test.sockets.last.hangUp(code, 'replaced');
  await test.clock.advance(reconnects(test).at(-1)?.delayMs ?? 0);
}

describe('a connection that the platform replaces', () => {
  it('says the second time in a minute what that means, and slows down', async () => {
    const test = connectGateway();
    await replace(test, 12_000);
    await replace(test, 12_000);
    await replace(test, 12_000);
    expect(reconnects(test)).toMatchObject([
      { reason: 'closed with code 4009 "replaced"', delayMs: 500 },
      { reason: expect.stringMatching(HINT), delayMs: 45_000 },
      { reason: expect.stringMatching(HINT), delayMs: 45_000 },
    ]);
    expect(test.log.filter((line) => HINT.test(line))).toHaveLength(2);
  });

  it.each([
    ['a minute later', 61_000, 4009],
    ['by a load balancer', 12_000, 1001],
    ['by a fault of the network', 12_000, 1006],
    ['by a server that gives no reason', 12_000, 1000],
  ])('is replaced within 1 s when the next one ends %s', async (_how, livesMs, code) => {
    const test = connectGateway();
    for (let n = 0; n < 3; n += 1) await replace(test, livesMs, code);
    expect(reconnects(test).map(({ delayMs }) => delayMs)).toEqual([500, 500, 500]);
    expect(test.log.filter((line) => HINT.test(line))).toEqual([]);
  });

  it('is replaced within 1 s again when none was replaced for 5 minutes', async () => {
    const test = connectGateway();
    for (const livesMs of [12_000, 12_000, 200_000, 300_000]) await replace(test, livesMs);
    expect(reconnects(test).map(({ delayMs }) => delayMs)).toEqual([500, 45_000, 45_000, 500]);
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
    for (const { gateway } of bots) expect(gateway.counts.identifies).toBeLessThan(60);
  });
});
