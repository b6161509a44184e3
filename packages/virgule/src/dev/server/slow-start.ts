import type { Clock } from '@virgule/core/clock';

/** What is being loaded, and for how long already. */
export interface LoadingStep {
  readonly file: string;
  readonly imports?: string | undefined;
  readonly ms: number;
}

export interface SlowStart {
  /** Notes that a file is about to run, or waits for a package it imports. */
  step(file: string, imports?: string): void;
  /** Notes that all files are loaded, and that this one creates the services. */
  creating(file: string): void;
  /** Notes that files changed meanwhile: a start that is stuck in one file, or will be, is ended. */
  changed(giveUp: () => void): void;
  end(): void;
}

/** A start that takes longer than this is reported, and again after each such time, in milliseconds. */
const SLOW_MS = 1_500;

/** Reports what a slow start is doing. A quick one reports nothing. */
export function createSlowStart(clock: Clock, report: (step: LoadingStep) => void): SlowStart {
  let current: { file: string; imports: string | undefined; sinceMs: number } | undefined;
  let isLoading = true;
  let giveUp: (() => void) | undefined;
  let timer = clock.setTimeout(look, SLOW_MS);

  function look(): void {
    if (current) {
      const { file, imports, sinceMs } = current;
      report({ file, imports, ms: Math.round(clock.monotonic() - sinceMs) });
    }
    if (isStuck()) giveUp?.();
    timer = clock.setTimeout(look, SLOW_MS);
  }

  function isStuck(): boolean {
    return isLoading && current !== undefined && clock.monotonic() - current.sinceMs >= SLOW_MS;
  }

  function step(file: string, imports?: string): void {
    current = { file, imports, sinceMs: clock.monotonic() };
  }

  return {
    step,
    creating(file) {
      isLoading = false;
      step(file);
    },
    changed(next) {
      giveUp = next;
      if (isStuck()) giveUp();
    },
    end() {
      isLoading = false;
      timer.cancel();
    },
  };
}
