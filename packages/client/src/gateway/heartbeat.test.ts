import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { startHeartbeat } from './heartbeat.js';

describe('startHeartbeat', () => {
  const start = (intervalMs = 25_000) => {
    const clock = createFakeClock();
    let asleepMs = 0;
    const logged: unknown[] = [];
    const heartbeat = startHeartbeat({
      // Time that passed while this process slept: it counts, but no timer fired in it.
      clock: { ...clock, monotonic: () => clock.monotonic() + asleepMs },
      random: () => 0,
      intervalMs,
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

  it('takes an answer to each beat that was sent, also when they come together', async () => {
    const { clock, heartbeat, logged } = start(1_000);
    await clock.advance(1_100);
    expect(logged).toEqual(['beat', 'beat']);
    expect([heartbeat.ack(), heartbeat.ack(), heartbeat.ack()]).toEqual([true, true, false]);
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
    [25_000, 10_000],
    [4_000, 4_000],
  ])(
    'with an interval of %i ms waits %i ms for an answer, however slow the earlier ones were',
    async (intervalMs, waitedMs) => {
      const { clock, heartbeat, logged } = start(intervalMs);
      await clock.advance(intervalMs / 10);
      for (let n = 0; n < 5; n += 1) {
        await clock.advance(waitedMs - 1);
        expect(heartbeat.ack()).toBe(true);
        await clock.advance(intervalMs - (waitedMs - 1));
      }
      await clock.advance(waitedMs - 1);
      expect(logged.filter((each) => each !== 'beat')).toEqual([]);
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
