import type { Clock } from '@virgule/core/clock';

/** What is being loaded, and for how long already. */
export interface LoadingStep {
  readonly file: string;
  readonly imports?: string | undefined;
  readonly ms: number;
}

export interface SlowStart {
  /** A file is about to run, or waits for a package it imports. */
  step(file: string, imports?: string): void;
  end(): void;
}

/** A start that takes longer than this many milliseconds is told about, and again after each such time. */
const SLOW_MS = 1_500;

/** Tells what a slow start is busy with. A quick one is not worth a word. */
export function createSlowStart(clock: Clock, tell: (step: LoadingStep) => void): SlowStart {
  let current: { file: string; imports: string | undefined; sinceMs: number } | undefined;
  let timer = clock.setTimeout(look, SLOW_MS);

  function look(): void {
    if (current) {
      const { file, imports, sinceMs } = current;
      tell({ file, imports, ms: Math.round(clock.monotonic() - sinceMs) });
    }
    timer = clock.setTimeout(look, SLOW_MS);
  }

  return {
    step(file, imports) {
      current = { file, imports, sinceMs: clock.monotonic() };
    },
    end: () => timer.cancel(),
  };
}
