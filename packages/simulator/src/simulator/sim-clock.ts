import type { Clock, Timer } from '@virgule/core/clock';
import type { SimClockState } from '@virgule/core/simulator-api';

/** The clock of a world, which a developer can stop and move forward. */
export type SimClock = ReturnType<typeof createSimClock>;

interface Pending {
  readonly dueMs: number;
  readonly callback: () => void;
  timer: Timer | undefined;
}

export function createSimClock(real: Clock, onChange: (state: SimClockState) => void) {
  const pending = new Set<Pending>();
  /** Times by which both readings are ahead of the real clock, in milliseconds. */
  const aheadMs = { now: 0, monotonic: 0 };
  /** Both readings of the real clock when the pause began. */
  let paused: { readonly now: number; readonly monotonic: number } | undefined;

  const now = (): number => (paused?.now ?? real.now()) + aheadMs.now;
  const monotonic = (): number => (paused?.monotonic ?? real.monotonic()) + aheadMs.monotonic;

  function start(item: Pending, delayMs = item.dueMs - monotonic()): void {
    item.timer?.cancel();
    if (paused !== undefined && item.dueMs > monotonic()) {
      item.timer = undefined;
      return;
    }
    item.timer = real.setTimeout(() => {
      pending.delete(item);
      item.callback();
    }, delayMs);
  }

  function restart(): void {
    for (const item of [...pending].toSorted((a, b) => a.dueMs - b.dueMs)) start(item);
    onChange({ offsetMs: aheadMs.now, pausedAtMs: paused === undefined ? null : now() });
  }

  const clock: Clock = {
    now,
    monotonic,
    setTimeout(callback, delayMs) {
      const item: Pending = { dueMs: monotonic() + delayMs, callback, timer: undefined };
      pending.add(item);
      start(item, delayMs);
      return {
        cancel() {
          item.timer?.cancel();
          pending.delete(item);
        },
      };
    },
    // No part of a world sleeps.
    sleep: (delayMs, options) => real.sleep(delayMs, options),
  };
  return {
    /** Clock for the world only: connections and faults use the real time, as the bot does. */
    clock,
    pause(): void {
      if (paused !== undefined) return;
      paused = { now: real.now(), monotonic: real.monotonic() };
      restart();
    },
    resume(): void {
      if (paused === undefined) return;
      aheadMs.now -= real.now() - paused.now;
      aheadMs.monotonic -= real.monotonic() - paused.monotonic;
      paused = undefined;
      restart();
    },
    /** Moves the clock forward. Timers that are due by then fire in order. */
    skip(ms: number): void {
      aheadMs.now += ms;
      aheadMs.monotonic += ms;
      restart();
    },
  };
}
