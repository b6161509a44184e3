import type { Clock, Timer } from '@virgule/core/clock';

export interface ChangeBatcherOptions {
  readonly clock: Clock;
  /** Gets what was added, each once, in order. */
  readonly onBatch: (paths: readonly string[]) => void;
}

/** Tells the first change at once and those that follow soon after together. */
export interface ChangeBatcher {
  add(path: string): void;
  /** Tells nothing any more. */
  close(): void;
}

/** Changes that come this soon after others are told together. */
const WINDOW_MS = 10;

export function createChangeBatcher({ clock, onBatch }: ChangeBatcherOptions): ChangeBatcher {
  const pending = new Set<string>();
  let timer: Timer | undefined;
  let closed = false;

  function flush(): void {
    timer = undefined;
    if (pending.size === 0 || closed) return;
    const paths = [...pending];
    pending.clear();
    timer = clock.setTimeout(flush, WINDOW_MS);
    onBatch(paths);
  }

  return {
    add(path) {
      pending.add(path);
      // Nothing was told lately: tell this one now, with those of the same turn.
      if (!timer && pending.size === 1) queueMicrotask(flush);
    },
    close() {
      closed = true;
      timer?.cancel();
    },
  };
}
