import type { Clock, Timer } from '@virgule/core/clock';
import type { SimClockState } from '@virgule/core/simulator-api';

/** The clock of a world, which a developer can stop and move forward. */
export interface SimClock {
  /** For the world alone: connections and faults have the real time, as the bot has. */
  readonly clock: Clock;
  pause(): void;
  resume(): void;
  /** Moves forward. What is due by then happens in its order. */
  skip(ms: number): void;
}

interface Pending {
  readonly dueMs: number;
  readonly callback: () => void;
  timer: Timer | undefined;
}

export function createSimClock(real: Clock, onChange: (state: SimClockState) => void): SimClock {
  const pending = new Set<Pending>();
  let offsetMs = 0;
  let pausedAtMs: number | undefined;

  const monotonic = (): number => (pausedAtMs ?? real.monotonic()) + offsetMs;
  const behindMs = (): number => (pausedAtMs === undefined ? 0 : real.monotonic() - pausedAtMs);

  const now = (): number => real.now() - behindMs() + offsetMs;

  function start(item: Pending, delayMs = item.dueMs - monotonic()): void {
    item.timer?.cancel();
    if (pausedAtMs !== undefined && item.dueMs > monotonic()) {
      item.timer = undefined;
      return;
    }
    item.timer = real.setTimeout(() => {
      pending.delete(item);
      item.callback();
    }, delayMs);
  }

  function restart(): void {
    const inOrder = [...pending].toSorted((a, b) => a.dueMs - b.dueMs);
    for (const item of inOrder) start(item);
    onChange({ offsetMs, pausedAtMs: pausedAtMs === undefined ? null : now() });
  }

  return {
    clock: {
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
      // Nothing in a world sleeps.
      sleep: (delayMs, options) => real.sleep(delayMs, options),
    },
    pause() {
      if (pausedAtMs !== undefined) return;
      pausedAtMs = real.monotonic();
      restart();
    },
    resume() {
      offsetMs -= behindMs();
      pausedAtMs = undefined;
      restart();
    },
    skip(ms) {
      offsetMs += ms;
      restart();
    },
  };
}
