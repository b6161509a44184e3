import { statSync, type Stats } from 'node:fs';
import type { Clock, Timer } from '@virgule/core/clock';

export interface SecondLookOptions {
  readonly clock: Clock;
  /** Told of a file that changed again after `watch`. */
  readonly onChange: (file: string) => void;
}

/** Looks again at files that were just changed, for a watcher that misses what follows closely. */
export interface SecondLook {
  /** Looks at `file` until it has stayed the same for 120 ms. */
  watch(file: string): void;
  close(): void;
}

/** Together longer than the 50 ms, for deletions 100 ms, in which chokidar drops events of one file. */
const LOOK_EVERY_MS = 20;
const LOOKS = 6;

export function createSecondLook({ clock, onChange }: SecondLookOptions): SecondLook {
  const watched = new Map<string, { stamp: string; looksLeft: number }>();
  let timer: Timer | undefined;

  function look(): void {
    timer = undefined;
    for (const [file, entry] of watched) {
      const stamp = stampOf(file);
      entry.looksLeft = stamp === entry.stamp ? entry.looksLeft - 1 : LOOKS;
      if (entry.looksLeft === 0) watched.delete(file);
      if (stamp === entry.stamp) continue;
      entry.stamp = stamp;
      onChange(file);
    }
    schedule();
  }

  function schedule(): void {
    if (watched.size > 0) timer ??= clock.setTimeout(look, LOOK_EVERY_MS);
  }

  return {
    watch(file) {
      watched.set(file, { stamp: stampOf(file), looksLeft: LOOKS });
      schedule();
    },
    close() {
      watched.clear();
      timer?.cancel();
    },
  };
}

/** Differs whenever a file was written, replaced, deleted or made. */
function stampOf(file: string): string {
  let stats: Stats | undefined;
  try {
    stats = statSync(file, { throwIfNoEntry: false });
  } catch {
    // A folder on the way to it has become a file: it is not there either.
  }
  return stats ? `${stats.ino} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.size}` : 'none';
}
