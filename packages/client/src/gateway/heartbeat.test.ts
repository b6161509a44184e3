import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { allowedMs, startHeartbeat } from './heartbeat.js';

describe('allowedMs', () => {
  it.each([
    ['10 s before anything was seen', [], 60_000, 10_000],
    ['10 s on a fast line', [20, 30, 40], 60_000, 10_000],
    ['four times the slowest of a few', [100, 4_000, 200], 60_000, 16_000],
    ['no more than the interval', [100, 4_000, 200], 12_000, 12_000],
    ['the interval when that is short', [], 250, 250],
  ])('is %s', (_name, seenMs, intervalMs, expectedMs) => {
    expect(allowedMs(seenMs, intervalMs)).toBe(expectedMs);
  });

  it('forgives one odd answer in a hundred', () => {
    const seenMs = [...Array.from({ length: 99 }, () => 3_000), 20_000];
    expect(allowedMs(seenMs, 300_000)).toBe(12_000);
  });
});

describe('startHeartbeat', () => {
  const start = () => {
    const clock = createFakeClock();
    let asleepMs = 0;
    const logged: unknown[] = [];
    const heartbeat = startHeartbeat({
      // Time that passed while this process slept: it counts, but no timer fired in it.
      clock: { ...clock, monotonic: () => clock.monotonic() + asleepMs },
      random: () => 0,
      intervalMs: 25_000,
      beat: () => logged.push('beat'),
      lastFrameAtMs: () => Number.NEGATIVE_INFINITY,
      dead: (waitedMs) => logged.push(`dead after ${waitedMs}`),
    });
    return { clock, heartbeat, logged, sleep: (ms: number) => (asleepMs += ms) };
  };

  it('reads once more before it judges when this process slept', async () => {
    const { clock, heartbeat, logged, sleep } = start();
    await clock.advance(2_500);
    sleep(600_000);
    await clock.advance(10_000);
    expect(logged).toEqual(['beat']);
    await clock.advance(999);
    expect(heartbeat.ack()).toBe(true);
    await clock.advance(14_001);
    expect(logged).toEqual(['beat', 'beat']);
  });

  it('judges after that second look', async () => {
    const { clock, logged, sleep } = start();
    await clock.advance(2_500);
    sleep(600_000);
    await clock.advance(11_000);
    expect(logged).toEqual(['beat', 'dead after 611000']);
    await clock.advance(100_000);
    expect(logged).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  it('judges a beat in its time of grace although the next beat falls due', async () => {
    const clock = createFakeClock();
    let asleepMs = 0;
    const logged: unknown[] = [];
    startHeartbeat({
      clock: { ...clock, monotonic: () => clock.monotonic() + asleepMs },
      random: () => 0,
      intervalMs: 5_000,
      beat: () => logged.push('beat'),
      lastFrameAtMs: () => Number.NEGATIVE_INFINITY,
      dead: () => logged.push('dead'),
    });
    await clock.advance(500);
    asleepMs = 60_000;
    await clock.advance(5_999);
    expect(logged).toEqual(['beat', 'beat']);
    await clock.advance(1);
    expect(logged).toEqual(['beat', 'beat', 'dead']);
  });

  it.each([
    [98, 16_000],
    [99, 10_000],
  ])(
    'goes by the last 100 answers: after two slow and %i fast ones it waits %i ms',
    async (fast, waitedMs) => {
      const { clock, heartbeat, logged } = start();
      await clock.advance(2_500);
      const answer = async (afterMs: number): Promise<void> => {
        await clock.advance(afterMs);
        expect(heartbeat.ack()).toBe(true);
        await clock.advance(25_000 - afterMs);
      };
      for (let n = 0; n < 2; n += 1) await answer(4_000);
      for (let n = 0; n < fast; n += 1) await answer(20);
      await clock.advance(waitedMs - 1);
      expect(logged.at(-1)).toBe('beat');
      await clock.advance(1);
      expect(logged.at(-1)).toBe(`dead after ${waitedMs}`);
    },
  );

  /** A line on which frames come every 500 ms, and no answer to a heartbeat before `answeredMs`. */
  async function busyLine(answeredMs: number) {
    const clock = createFakeClock();
    let lastFrameAtMs = clock.monotonic();
    let deadAfterMs: number | undefined;
    const heartbeat = startHeartbeat({
      clock,
      random: () => 0,
      intervalMs: 15_000,
      beat: () => {},
      lastFrameAtMs: () => lastFrameAtMs,
      dead: (waitedMs) => (deadAfterMs ??= waitedMs),
    });
    await clock.advance(1_500);
    for (let passedMs = 500; passedMs <= 90_000 && deadAfterMs === undefined; passedMs += 500) {
      await clock.advance(500);
      lastFrameAtMs = clock.monotonic();
      if (passedMs === answeredMs) heartbeat.ack();
      if (passedMs > answeredMs && passedMs % 15_000 === answeredMs % 15_000) heartbeat.ack();
    }
    heartbeat.stop();
    return deadAfterMs;
  }

  it('does not give up a line on which other frames come, for answers that are late', async () => {
    expect(await busyLine(11_000)).toBeUndefined();
  });

  it('ends the connection when no ACK comes for three intervals', async () => {
    expect(await busyLine(Number.POSITIVE_INFINITY)).toBe(45_000);
  });

  it('returns whether an ACK was expected', async () => {
    const { clock, heartbeat } = start();
    expect(heartbeat.ack()).toBe(false);
    await clock.advance(2_500);
    expect(heartbeat.ack()).toBe(true);
    expect(heartbeat.ack()).toBe(false);
    heartbeat.stop();
    expect(clock.pending).toBe(0);
  });
});
