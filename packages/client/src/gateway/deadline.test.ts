import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { startDeadline } from './heartbeat.js';

function start() {
  const clock = createFakeClock();
  let asleepMs = 0;
  let expired = 0;
  const deadline = startDeadline(
    { ...clock, monotonic: () => clock.monotonic() + asleepMs },
    10_000,
    () => (expired += 1),
  );
  return {
    clock,
    deadline,
    sleep: (ms: number) => (asleepMs += ms),
    expired: () => expired,
  };
}

describe('startDeadline', () => {
  it('expires in time', async () => {
    const { clock, expired } = start();
    await clock.advance(9_999);
    expect(expired()).toBe(0);
    await clock.advance(1);
    expect(expired()).toBe(1);
    expect(clock.pending).toBe(0);
  });

  it.each([
    [20, 0],
    [21, 1_000],
    [600_000, 1_000],
  ])('judges a timer that is %d ms late after another %d ms', async (lateMs, graceMs) => {
    const { clock, expired, sleep } = start();
    sleep(lateMs);
    await clock.advance(10_000);
    await clock.advance(Math.max(graceMs - 1, 0));
    expect(expired()).toBe(graceMs === 0 ? 1 : 0);
    await clock.advance(1);
    expect(expired()).toBe(1);
    expect(clock.pending).toBe(0);
  });

  it('can be taken back, in the time of grace too', async () => {
    const { clock, deadline, expired, sleep } = start();
    sleep(5_000);
    await clock.advance(10_500);
    deadline.cancel();
    await clock.advance(10_000);
    expect(expired()).toBe(0);
    expect(clock.pending).toBe(0);
  });
});
