import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from './system-clock.js';

/** Returns the number of timers that keep this process alive. */
const aliveTimers = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

describe('systemClock', () => {
  it('returns the time of this machine', () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it('never goes backwards', () => {
    const readings = Array.from({ length: 10_000 }, () => systemClock.monotonic());
    expect(readings.filter((reading, i) => reading < (readings[i - 1] ?? 0))).toEqual([]);
  });

  it('is not late because its process was interrupted when it loaded', async () => {
    vi.resetModules();
    const { bigint } = process.hrtime;
    const reading = vi.spyOn(process.hrtime, 'bigint');
    reading.mockImplementationOnce(() => bigint() - 5_000_000n);
    const { systemClock: other } = await import('./system-clock.js');
    reading.mockRestore();
    // Read before the other clock: an interruption between the two does not make that one late.
    const nowMs = systemClock.monotonic();
    expect(other.monotonic()).toBeGreaterThan(nowMs - 1);
  });

  it('counts as the clock of the machine does, so that two processes can compare readings', () => {
    const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6;
    const before = machineMs();
    const reading = systemClock.monotonic();
    // Both clocks are read in nanoseconds, one after the other.
    expect(reading).toBeGreaterThan(before - 1);
    expect(reading).toBeLessThan(machineMs() + 1);
  });

  it('fires a timer once', async () => {
    const callback = vi.fn<() => void>();
    systemClock.setTimeout(callback, 1);
    await systemClock.sleep(20);
    expect(callback).toHaveBeenCalledTimes(1);
    expect(callback).toHaveBeenCalledWith();
  });

  it('does not fire a timer that was canceled', async () => {
    const callback = vi.fn<() => void>();
    const timer = systemClock.setTimeout(callback, 1);
    timer.cancel();
    timer.cancel();
    await systemClock.sleep(20);
    expect(callback).not.toHaveBeenCalled();
  });

  it('allows to cancel a timer that fired', async () => {
    const timer = await new Promise<{ cancel(): void }>((resolve) => {
      const started = systemClock.setTimeout(() => resolve(started), 0);
    });
    expect(() => timer.cancel()).not.toThrow();
  });

  it.each([2 ** 31, Number.POSITIVE_INFINITY])(
    'does not fire at once after a delay of %d, as Node.js would',
    async (delayMs) => {
      const callback = vi.fn<() => void>();
      const timer = systemClock.setTimeout(callback, delayMs);
      await systemClock.sleep(20);
      timer.cancel();
      expect(callback).not.toHaveBeenCalled();
    },
  );

  it.each([-1, Number.NaN, 0])('fires soon after a delay of %d', async (delayMs) => {
    await new Promise<void>((resolve) => {
      systemClock.setTimeout(resolve, delayMs);
    });
    await expect(systemClock.sleep(delayMs)).resolves.toBeUndefined();
  });

  it('does not keep the process alive for a timer', () => {
    const before = aliveTimers();
    const timer = systemClock.setTimeout(() => {}, 60_000);
    expect(aliveTimers()).toBe(before);
    timer.cancel();
  });

  it('keeps the process alive during a sleep, and no longer', async () => {
    const before = aliveTimers();
    const controller = new AbortController();
    const slept = systemClock.sleep(60_000, { signal: controller.signal });
    expect(aliveTimers()).toBe(before + 1);
    controller.abort();
    await expect(slept).rejects.toThrow('aborted');
    expect(aliveTimers()).toBe(before);
  });
});

describe('sleep of systemClock', () => {
  it('resolves with undefined', async () => {
    await expect(systemClock.sleep(1)).resolves.toBeUndefined();
  });

  it('rejects with the reason of the signal when it aborts', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const slept = systemClock.sleep(60_000, { signal: controller.signal });
    controller.abort(reason);
    await expect(slept).rejects.toBe(reason);
  });

  it('rejects if the signal is already aborted', async () => {
    const before = aliveTimers();
    const slept = systemClock.sleep(60_000, { signal: AbortSignal.abort('stopped') });
    expect(aliveTimers()).toBe(before);
    await expect(slept).rejects.toBe('stopped');
  });

  it('removes its listener from the signal, however it ends', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    await Promise.all([systemClock.sleep(1, { signal }), systemClock.sleep(2, { signal })]);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    const slept = systemClock.sleep(60_000, { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    controller.abort();
    await expect(slept).rejects.toThrow('aborted');
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
