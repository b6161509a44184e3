import type { Timer } from '@virgule/core/clock';
import { createStateFile } from '@virgule/core/fs';
import { MAX_PAUSE_MS } from './bucket.js';
import type { RestSettings } from '../rest/rest-options.js';
import type { Pause, RateLimits } from './rate-limits.js';

/** Returns the rest of saved pauses, an unchecked value; none if `savedAtMs` is in the future. */
export function readSavedPauses(state: unknown, nowMs: number): readonly Pause[] {
  const { savedAtMs, pauses } = Object(state) as Readonly<Record<string, unknown>>;
  if (typeof savedAtMs !== 'number' || !(savedAtMs <= nowMs) || !Array.isArray(pauses)) return [];
  return pauses.flatMap((each: unknown) => readPause(each, nowMs - savedAtMs) ?? []);
}

/** Returns the rest of a pause that was saved `agoMs` milliseconds ago; `undefined` for a past or invalid pause. */
export function readPause(state: unknown, agoMs: number): Pause | undefined {
  const { route, major, pausedForMs }: { readonly [Key in keyof Pause]?: unknown } = Object(state);
  if (typeof route !== 'string' || typeof major !== 'string') return undefined;
  if (typeof pausedForMs !== 'number') return undefined;
  const leftMs = Math.min(pausedForMs, MAX_PAUSE_MS) - agoMs;
  return leftMs > 0 ? { route, major, pausedForMs: leftMs } : undefined;
}

/** Time from a 429 to the write of the file, in milliseconds. Further 429s of this time share the write. */
const SAVE_AFTER_MS = 5_000;

/** Restores the pauses of an earlier run, and saves later ones. Returns a function that saves at once. */
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
    // An old file need not be emptied, because its pauses expire.
    if (pauses.length > 0) file.write({ origin, savedAtMs: clock.now(), pauses });
  };
  limits.onPause(() => void (timer ??= clock.setTimeout(save, SAVE_AFTER_MS)));
  return save;
}
