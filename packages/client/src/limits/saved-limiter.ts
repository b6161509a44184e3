import type { Clock, Timer } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { createStateFile } from '../state/state-file.js';
import { Limiter } from './limiter.js';
import { readSavedPauses } from './saved-pauses.js';

export interface SavedLimiterOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Whose pauses they are: those of another platform are left alone. */
  readonly origin: string;
  readonly path: string;
}

/** The file is written this long after a 429, once for all that follow meanwhile. */
const SAVE_AFTER_MS = 5_000;

/** A limiter that begins with the pauses that an earlier run left in a file. */
export function createSavedLimiter({ clock, log, origin, path }: SavedLimiterOptions) {
  const file = createStateFile({ path, of: 'the limits', log });
  const saved = file.read((state) =>
    Object(state).origin === origin ? readSavedPauses(state, clock.now()) : [],
  );
  let timer: Timer | undefined;

  const limiter = new Limiter(clock, {
    saved,
    onLimited() {
      timer ??= clock.setTimeout(save, SAVE_AFTER_MS);
    },
  });

  function save(): void {
    timer = undefined;
    const pauses = limiter.pauses();
    // An older file need not be emptied: its pauses are over by themselves.
    if (pauses.length > 0) file.write({ origin, savedAtMs: clock.now(), pauses });
  }

  return {
    limiter,
    /** Writes the pauses that last. */
    close(): void {
      timer?.cancel();
      save();
    },
  };
}
