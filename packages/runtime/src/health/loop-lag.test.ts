import { createFakeClock, systemClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { watchLoopLag } from './loop-lag.js';

/** Blocks the event loop for the given time. */
function block(ms: number): void {
  const endMs = systemClock.monotonic() + ms;
  while (systemClock.monotonic() < endMs);
}

describe('watchLoopLag', () => {
  it('returns how late the event loop was, for one to two windows', async () => {
    const clock = createFakeClock();
    const lag = watchLoopLag(clock);
    onTestFinished(() => lag.close());
    // The first look at the loop comes with the loop.
    await vi.waitFor(() => {
      block(60);
      expect(lag.read()).toBeGreaterThan(30);
    });
    await clock.advance(10_000);
    expect(lag.read()).toBeGreaterThan(30);
    await clock.advance(10_000);
    await clock.advance(10_000);
    expect(lag.read()).toBeLessThan(30);
  });

  it('leaves no timer behind', () => {
    const clock = createFakeClock();
    const started = vi.spyOn(clock, 'setTimeout');
    const lag = watchLoopLag(clock);
    const cancel = vi.spyOn(started.mock.results[0]?.value as { cancel(): void }, 'cancel');
    lag.close();
    expect(cancel).toHaveBeenCalledOnce();
  });
});
