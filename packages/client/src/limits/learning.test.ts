import { describe, expect, it } from 'vitest';
import { openLimiter, type Rates } from '../../test/open-limiter.js';
import type { LimitKey, Permit } from './limiter.js';

const SEND: LimitKey = { route: 'messages.send', major: 'a' };

interface Replay {
  readonly callsPerSecond: number;
  readonly forMs: number;
  readonly latencyMs: number;
  /** What the platform does with a request that arrives then: takes it, or states a wait in seconds. */
  readonly judge: (nowMs: number) => 'taken' | { readonly seconds: number; readonly rates?: Rates };
}

/** Calls come at a steady pace, and each goes as soon as it may. */
async function replay({ callsPerSecond, forMs, latencyMs, judge }: Replay) {
  const opened = openLimiter();
  const { clock, send, accept, refuse, waitMs } = opened;
  const startMs = clock.monotonic();
  const refusedAtMs: number[] = [];
  const sentAtMs: number[] = [];
  const tookMs: number[] = [];
  const queue: number[] = [];
  const begin = (): void => {
    const bornMs = queue.shift() ?? 0;
    const permit: Permit = send(SEND);
    sentAtMs.push(clock.monotonic() - startMs);
    clock.setTimeout(() => {
      const nowMs = clock.monotonic() - startMs;
      const verdict = judge(nowMs);
      if (verdict === 'taken') {
        tookMs.push(nowMs - bornMs);
        accept(permit);
      } else {
        refusedAtMs.push(nowMs);
        queue.unshift(bornMs);
        refuse(permit, verdict.seconds, verdict.rates);
      }
    }, latencyMs);
  };
  const stepMs = 5;
  let born = 0;
  for (let nowMs = 0; nowMs < forMs; nowMs += stepMs) {
    for (; born * 1_000 <= nowMs * callsPerSecond; born += 1) queue.push(nowMs);
    while (queue.length > 0 && waitMs(SEND) === 0) begin();
    await clock.advance(stepMs);
  }
  return { ...opened, refusedAtMs, sentAtMs, tookMs, waiting: () => queue.length };
}

/** As many in each window as it states, with or without its headers. */
function windowOf(limit: number, windowMs: number, states: boolean): Replay['judge'] {
  let endsMs = 0;
  let used = 0;
  return (nowMs) => {
    if (nowMs >= endsMs) {
      endsMs = nowMs + windowMs;
      used = 0;
    }
    used += 1;
    if (used <= limit) return 'taken';
    const seconds = Math.ceil((endsMs - nowMs) / 1_000);
    return states ? { seconds, rates: { limit, remaining: 0 } } : { seconds };
  };
}

const burstsAt =
  (...seconds: readonly number[]): Replay['judge'] =>
  (nowMs) =>
    seconds.some((second) => nowMs >= second * 1_000 && nowMs < (second + 1) * 1_000)
      ? { seconds: 1 }
      : 'taken';

describe('429s that state no limit', () => {
  it('teach no limit when they come in bursts that have another cause', async () => {
    const { limiter, tookMs, waiting } = await replay({
      callsPerSecond: 40,
      forMs: 32_000,
      latencyMs: 5,
      judge: burstsAt(10, 17, 24, 25, 27),
    });
    expect(limiter.snapshot().buckets).toMatchObject([{ limit: undefined, phase: 'flowing' }]);
    expect(waiting()).toBe(0);
    // The last two seconds: nobody waits for anything any more.
    expect(Math.max(...tookMs.slice(-80))).toBeLessThanOrEqual(50);
  });

  it.each([
    ['every seven seconds', [7, 14, 21]],
    ['at odd times', [3, 4, 11, 19, 20, 22, 29]],
  ])('let calls through at full pace two seconds after the last: %s', async (_name, bursts) => {
    const last = Math.max(...bursts);
    const { tookMs, waiting } = await replay({
      callsPerSecond: 40,
      forMs: (last + 5) * 1_000,
      latencyMs: 5,
      judge: burstsAt(...bursts),
    });
    expect(waiting()).toBe(0);
    expect(Math.max(...tookMs.slice(-40))).toBeLessThanOrEqual(50);
  });

  it('teach a limit after three windows that agree, and nine tenths of it are kept to', async () => {
    const { limiter, refusedAtMs } = await replay({
      callsPerSecond: 40,
      forMs: 40_000,
      latencyMs: 5,
      judge: windowOf(12, 4_000, false),
    });
    expect(limiter.snapshot().buckets).toMatchObject([
      {
        limit: 10,
        limitFrom: 'observed',
        evidence: expect.stringMatching(/^observed >= 12\/[45](\.\d)?s$/),
      },
    ]);
    // The first window has no known beginning; the three after it have to agree.
    expect(refusedAtMs.filter((atMs) => atMs > 18_000 && atMs < 30_000)).toEqual([]);
  });

  it('hold calls up for no longer than 20 s when they look just like a limit, and are none', async () => {
    const { limiter, tookMs, waiting } = await replay({
      callsPerSecond: 40,
      forMs: 60_000,
      latencyMs: 5,
      judge: burstsAt(5, 7, 9, 11, 13),
    });
    expect(limiter.snapshot().buckets).toMatchObject([{ limit: undefined, phase: 'flowing' }]);
    expect(waiting()).toBe(0);
    expect(Math.max(...tookMs)).toBeLessThanOrEqual(20_000);
    expect(Math.max(...tookMs.slice(-600))).toBeLessThanOrEqual(50);
  });

  it('teach a limit that is tested with one more call every 20 s', async () => {
    const { limiter, refusedAtMs } = await replay({
      callsPerSecond: 40,
      forMs: 200_000,
      latencyMs: 5,
      judge: windowOf(12, 4_000, false),
    });
    expect(limiter.snapshot().buckets).toMatchObject([
      {
        limit: 10,
        limitFrom: 'observed',
        evidence: expect.stringMatching(/^observed >= 12\/[45](\.\d)?s$/),
      },
    ]);
    const later = refusedAtMs.filter((atMs) => atMs > 40_000);
    expect(later.length).toBeGreaterThan(2);
    expect(later.length).toBeLessThanOrEqual(160 / 20);
  });

  it('teach a limit that is tested no more often than every third window', async () => {
    const { limiter, refusedAtMs } = await replay({
      callsPerSecond: 4,
      forMs: 900_000,
      latencyMs: 5,
      judge: windowOf(20, 30_000, false),
    });
    expect(limiter.snapshot().buckets).toMatchObject([{ limit: 18, limitFrom: 'observed' }]);
    const later = refusedAtMs.filter((atMs) => atMs > 300_000);
    expect(later.length).toBeGreaterThan(1);
    expect(later.length).toBeLessThanOrEqual(600 / 60);
  });

  it.each([
    [1, 1],
    [2, 1],
    [9, 8],
    [10, 9],
    [11, 9],
    [50, 45],
  ])('teach a limit of %i, of which %i are used', async (limit, ceiling) => {
    const { clock, limiter, send, accept, refuse, waitMs } = openLimiter();
    for (let window = 0; window < 4; window += 1) {
      for (let sent = 0; sent < limit; sent += 1) accept(send(SEND));
      refuse(send(SEND), 4);
      await clock.advance(4_000);
      limiter.ask(SEND);
    }
    let used = 0;
    for (; waitMs(SEND) === 0; used += 1) accept(send(SEND));
    expect(used).toBe(ceiling);
    const evidence = `observed >= ${limit}/5s`;
    expect(limiter.snapshot().buckets).toMatchObject([{ limit: ceiling, evidence, remaining: 0 }]);
  });

  it('teach a limit by the last three windows, whatever those before them seemed to say', async () => {
    const { clock, limiter, send, accept, refuse } = openLimiter();
    for (const count of [3, 40, 3, 12, 12, 12]) {
      for (let sent = 0; sent < count; sent += 1) accept(send(SEND));
      refuse(send(SEND), 4);
      await clock.advance(4_000);
      limiter.ask(SEND);
    }
    expect(limiter.snapshot().buckets).toMatchObject([{ evidence: 'observed >= 12/5s' }]);
  });

  it('are followed by nothing before the wait is over, whether a limit is learned or not', async () => {
    const { refusedAtMs, sentAtMs } = await replay({
      callsPerSecond: 40,
      forMs: 24_000,
      latencyMs: 40,
      judge: windowOf(12, 4_000, false),
    });
    expect(refusedAtMs.length).toBeGreaterThan(3);
    for (const atMs of refusedAtMs) {
      // At least one second is stated.
      expect(sentAtMs.filter((sentMs) => sentMs > atMs && sentMs < atMs + 1_000)).toEqual([]);
    }
  });

  it('are no evidence when answers in between were lost', async () => {
    const { clock, limiter, send, accept, refuse } = openLimiter();
    for (let window = 0; window < 6; window += 1) {
      limiter.ask(SEND);
      for (let sent = 0; sent < 4; sent += 1) accept(send(SEND));
      limiter.giveBack(send(SEND), { kind: 'lost' });
      refuse(send(SEND), 1);
      await clock.advance(1_000);
    }
    expect(limiter.snapshot().buckets[0]?.limit).toBeUndefined();
  });

  it('are no evidence when they are more than a minute apart', async () => {
    const { clock, limiter, send, accept, refuse } = openLimiter();
    for (let time = 0; time < 6; time += 1) {
      limiter.ask(SEND);
      accept(send(SEND));
      refuse(send(SEND), 1);
      await clock.advance(70_000);
    }
    expect(limiter.snapshot().buckets[0]?.limit).toBeUndefined();
  });
});

describe('429s that state their limit', () => {
  it('teach it at once', async () => {
    const { limiter, refusedAtMs } = await replay({
      callsPerSecond: 40,
      forMs: 40_000,
      latencyMs: 5,
      judge: windowOf(12, 4_000, true),
    });
    expect(limiter.snapshot().buckets).toMatchObject([
      {
        limit: 12,
        limitFrom: 'header',
        evidence: expect.stringMatching(/^stated 12\/[45](\.\d)?s$/),
      },
    ]);
    expect(refusedAtMs.filter((atMs) => atMs > 12_000)).toEqual([]);
  });
});
