import type { Clock, Timer } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { createStateFile } from '../state/state-file.js';
import { Limiter } from './limiter.js';
import { readSavedLimits } from './saved-limits.js';

export interface RememberedLimiterOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Whose limits they are: those of another platform are left alone. */
  readonly origin: string;
  readonly path: string;
}

/** A 429 is written down so long after it, together with all that follow meanwhile. */
const SAVE_AFTER_MS = 60_000;

/** A limiter that begins with what an earlier run left in a file, and leaves one to the next. */
export function createRememberedLimiter({ clock, log, origin, path }: RememberedLimiterOptions) {
  const file = createStateFile({ path, of: 'the limits', log });
  const saved = file.read((state) =>
    Object(state).origin === origin ? readSavedLimits(state, clock.now()) : undefined,
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
    file.write({ origin, ...limiter.save() });
  }

  return {
    limiter,
    /** Writes what is known now, and when this run ended. */
    close(): void {
      timer?.cancel();
      save();
    },
  };
}
