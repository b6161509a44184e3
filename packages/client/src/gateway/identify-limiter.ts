import type { Clock } from '@virgule/core/clock';
import type { StateFile } from '@virgule/core/fs';
import type { Profile } from '@virgule/core/protocol';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Share of the day's budget that can be used without waiting. After that, each IDENTIFY waits for an even share of the day. */
const FREE_SHARE = 0.8;

/** Store of the times of IDENTIFY in the last day, in epoch milliseconds, in order. The functions must not throw. */
export interface IdentifyTimes {
  read(): readonly number[];
  /** Replaces the times by the times that still count, with the time of the current IDENTIFY as the last. */
  write(times: readonly number[]): void;
}

/** Creates a store of times in a file, or in memory without a file. */
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

/** Creates a limiter of IDENTIFY, by the wall clock and with a write at every IDENTIFY: crashes must not evade it. */
export function createIdentifyLimiter(
  { perMinute, perDay }: Profile['identifies'],
  clock: Pick<Clock, 'now'>,
  times: IdentifyTimes = createIdentifyTimes(),
) {
  const freePerDay = Math.ceil(perDay * FREE_SHARE);

  const current = (nowMs: number): readonly number[] =>
    times
      .read()
      // A time in the future, from before the clock was set back, would count for too long.
      .map((atMs) => Math.min(atMs, nowMs))
      .filter((atMs) => atMs > nowMs - DAY_MS)
      .slice(-Math.max(perMinute, perDay, 1));

  return {
    /** Returns the delay of the next IDENTIFY with its reason; `undefined` if IDENTIFY may be sent now. */
    wait() {
      const nowMs = clock.now();
      const earlier = current(nowMs);
      // The oldest IDENTIFY that has to leave the window before the next one.
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

/** Returns the valid times of a file. Invalid times are ignored, because the limit is only a precaution. */
function readTimes(state: unknown): readonly number[] {
  const times: unknown = Object(state).identifiedAtMs;
  if (!Array.isArray(times)) throw new TypeError('the file has no list identifiedAtMs');
  return times.filter((atMs) => Number.isFinite(atMs)).toSorted((a, b) => a - b);
}
