import type { Clock } from '@virgule/core/clock';
import type { StateFile } from '@virgule/core/fs';

/** How often a bot identifies. The platform states no limit; this one is assumed. */
export interface IdentifyBudget {
  /** In any 60 s; what is too much waits. 0 for no limit. @defaultValue the profile's `identifies.perMinute`, 5 */
  readonly perMinute: number;
  /**
   * In any 24 hours. It slows a bot down and never stops it: once 80 % are used, they are spread evenly
   * (one in 17 s with 5,000). 0 for no limit. @defaultValue the profile's `identifies.perDay`, 5,000
   */
  readonly perDay: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The share of the day's budget that may be used at any pace. */
const FREE_SHARE = 0.8;

/** When a bot identified in the last day, in milliseconds since the epoch, the earliest first. Neither must throw. */
export interface IdentifyTimes {
  read(): readonly number[];
  /** Replaces them by what was read, less those that no longer count, and the time of the IDENTIFY that is sent now. */
  write(times: readonly number[]): void;
}

/** Remembers times in a file, or without one in memory only. */
export function createIdentifyTimes(file?: StateFile): IdentifyTimes {
  let times: readonly number[] | undefined;
  return {
    read: () => (times ??= file?.read(readTimes) ?? []),
    write(identifiedAtMs) {
      times = identifiedAtMs;
      file?.write({ identifiedAtMs });
    },
  };
}

/**
 * Keeps a bot from identifying too often. Uses wall-clock time, which survives restarts. The times are written at every
 * IDENTIFY: a bot that crashes right after it is the one this is for.
 */
export function createIdentifyLimiter(
  { perMinute, perDay }: IdentifyBudget,
  clock: Pick<Clock, 'now'>,
  times: IdentifyTimes = createIdentifyTimes(),
) {
  const freePerDay = Math.ceil(perDay * FREE_SHARE);

  const current = (nowMs: number): readonly number[] =>
    times
      .read()
      // One in the future is from a clock that was set back since; it would count for too long.
      .map((atMs) => Math.min(atMs, nowMs))
      .filter((atMs) => atMs > nowMs - DAY_MS)
      .slice(-Math.max(perMinute, perDay, 1));

  return {
    /** Returns how long the next IDENTIFY has to wait, and why; `undefined` when it may be sent now. */
    wait() {
      const nowMs = clock.now();
      const earlier = current(nowMs);
      // The one that has to be out of the window before another one fits in.
      const oldestMs = perMinute > 0 ? earlier.at(-Math.ceil(perMinute)) : undefined;
      const lastMs = perDay > 0 && earlier.length >= freePerDay ? earlier.at(-1) : undefined;
      const minuteMs = oldestMs === undefined ? 0 : oldestMs + MINUTE_MS - nowMs;
      const dayMs = lastMs === undefined ? 0 : lastMs + DAY_MS / perDay - nowMs;
      const delayMs = Math.max(minuteMs, dayMs);
      if (delayMs <= 0) return undefined;
      const reason =
        minuteMs >= dayMs
          ? `the identify budget is used up (${perMinute} a minute)`
          : `the identify budget is nearly used up (${earlier.length} of ${perDay} a day), so the rest is spread evenly`;
      return { delayMs, reason };
    },
    spend(): void {
      const nowMs = clock.now();
      times.write([...current(nowMs), nowMs]);
    },
  };
}

/** Anything else in the file is ignored: it is only there to slow the bot down. */
function readTimes(state: unknown): readonly number[] {
  const times: unknown = Object(state).identifiedAtMs;
  if (!Array.isArray(times)) throw new TypeError('it has no list identifiedAtMs');
  return times.filter((atMs) => Number.isFinite(atMs)).toSorted((a, b) => a - b);
}
