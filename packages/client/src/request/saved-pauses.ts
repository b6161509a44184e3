import type { Clock, Timer } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { createStateFile } from '@virgule/core/fs';
import type { LimitedBucket } from './limits-snapshot.js';
import { RateLimits } from './rate-limits.js';

/** A pause that one run leaves to the next; `pausedForMs` is what is left of it. */
export type SavedPause = Pick<LimitedBucket, 'scope' | 'route' | 'major' | 'pausedForMs'>;

const MAX_PAUSES = 200;
const MAX_NAME_LENGTH = 500;
const MAX_PAUSE_MS = 3_600_000;

/**
 * Reads `{ savedAtMs, pauses }` from anywhere. Whatever is over, broken or out of bounds is left out,
 * and all of it when it was saved in the future.
 */
export function readSavedPauses(state: unknown, nowMs: number): readonly SavedPause[] {
  const { savedAtMs, pauses } = Object(state) as Readonly<Record<string, unknown>>;
  if (typeof savedAtMs !== 'number' || !(savedAtMs <= nowMs) || !Array.isArray(pauses)) return [];
  return pauses
    .slice(0, MAX_PAUSES)
    .flatMap((each: unknown) => readPause(each, nowMs - savedAtMs) ?? []);
}

function readPause(state: unknown, agoMs: number): SavedPause | undefined {
  const { scope, route, major, pausedForMs } = Object(state) as {
    readonly [Key in keyof SavedPause]?: unknown;
  };
  if (scope !== 'bucket' && scope !== 'global') return undefined;
  if (!isName(route) || !isName(major) || typeof pausedForMs !== 'number') return undefined;
  const leftMs = Math.min(pausedForMs, MAX_PAUSE_MS) - agoMs;
  return leftMs > 0 ? { scope, route, major, pausedForMs: leftMs } : undefined;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_NAME_LENGTH;
}

/** The file is written this long after a 429, once for all that follow meanwhile. */
const SAVE_AFTER_MS = 5_000;

/** Creates rate limits that begin with the pauses that an earlier run left in a file, if it was with this platform. */
export function createSavedRateLimits(path: string, origin: string, clock: Clock, log: Log) {
  const file = createStateFile({ path, of: 'the limits', log });
  const saved = file.read((state) =>
    Object(state).origin === origin ? readSavedPauses(state, clock.now()) : [],
  );
  let timer: Timer | undefined;

  const limits = new RateLimits(clock, {
    saved,
    onLimited() {
      timer ??= clock.setTimeout(save, SAVE_AFTER_MS);
    },
  });

  function save(): void {
    timer = undefined;
    const pauses = limits.pauses();
    // An older file need not be emptied: its pauses are over by themselves.
    if (pauses.length > 0) file.write({ origin, savedAtMs: clock.now(), pauses });
  }

  return {
    limits,
    /** Writes the pauses that last. */
    close(): void {
      timer?.cancel();
      save();
    },
  };
}
