import type { Timer } from '@virgule/core/clock';
import { createStateFile } from '@virgule/core/fs';
import { MAX_PAUSE_MS } from './bucket.js';
import type { RestSettings } from '../rest/rest-options.js';
import type { Pause, RateLimits } from './rate-limits.js';

/**
 * Reads `{ savedAtMs, pauses }` from anywhere. Whatever is over, broken or out of bounds is left out,
 * and all of it when it was saved in the future.
 */
export function readSavedPauses(state: unknown, nowMs: number): readonly Pause[] {
  const { savedAtMs, pauses } = Object(state) as Readonly<Record<string, unknown>>;
  if (typeof savedAtMs !== 'number' || !(savedAtMs <= nowMs) || !Array.isArray(pauses)) return [];
  return pauses.flatMap((each: unknown) => readPause(each, nowMs - savedAtMs) ?? []);
}

/** Reads a pause that was there `agoMs` ago from anywhere; `undefined` if it is over or none. */
export function readPause(state: unknown, agoMs: number): Pause | undefined {
  const { route, major, pausedForMs } = Object(state) as {
    readonly [Key in keyof Pause]?: unknown;
  };
  if (typeof route !== 'string' || typeof major !== 'string') return undefined;
  if (typeof pausedForMs !== 'number') return undefined;
  const leftMs = Math.min(pausedForMs, MAX_PAUSE_MS) - agoMs;
  return leftMs > 0 ? { route, major, pausedForMs: leftMs } : undefined;
}

/** The file is written this long after a 429, once for all that follow meanwhile. */
const SAVE_AFTER_MS = 5_000;

/**
 * Pauses what an earlier run left in a file, if it was with this platform, and writes later pauses to it. Returns a
 * function that writes those that last.
 */
export function keepPauses(
  limits: RateLimits,
  path: string,
  { address: { origin }, clock, log }: Pick<RestSettings, 'address' | 'clock' | 'log'>,
): () => void {
  const file = createStateFile({ path, of: 'the limits', log });
  const saved = file.read((state) =>
    Object(state).origin === origin ? readSavedPauses(state, clock.now()) : [],
  );
  for (const pause of saved ?? []) limits.pause(pause);
  let timer: Timer | undefined;
  const save = (): void => {
    timer?.cancel();
    timer = undefined;
    const pauses = limits.pauses();
    // An older file need not be emptied: its pauses are over by themselves.
    if (pauses.length > 0) file.write({ origin, savedAtMs: clock.now(), pauses });
  };
  limits.onPause(() => {
    timer ??= clock.setTimeout(save, SAVE_AFTER_MS);
  });
  return save;
}
