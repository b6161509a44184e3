import type { Clock } from '@virgule/core/clock';
import type { DevReport } from '../ui/dev-report.js';

/** Loading time in milliseconds after which a report is made. Further reports follow after twice the time each. */
const SLOW_MS = 1_500;

/** File or package that is being loaded, and the time since the beginning. */
type LoadingStep = Omit<Extract<DevReport, { readonly type: 'loading' }>, 'type'>;

export type SlowLoading = ReturnType<typeof createSlowLoading>;

/** Reports the current step of slow loading. @param moreMs - time in addition to the limit for one file. */
export function createSlowLoading(clock: Clock, report: (step: LoadingStep) => void, moreMs = 0) {
  const beganMs = clock.monotonic();
  let current: { file: string; imports?: string | undefined; sinceMs: number } | undefined;
  /** True once all files are loaded, and the services are being created. */
  let isCreating = false;
  let giveUp: (() => void) | undefined;
  /** Time of the next report, in milliseconds since the beginning. */
  let reportAfterMs = SLOW_MS;
  let timer = clock.setTimeout(check, SLOW_MS);

  function check(): void {
    const nowMs = clock.monotonic();
    if (current && nowMs - beganMs >= reportAfterMs) {
      const { file, imports, sinceMs } = current;
      report({ file, imports, ms: Math.round(nowMs - sinceMs) });
      reportAfterMs *= 2;
    }
    if (isStuck()) giveUp?.();
    timer = clock.setTimeout(check, SLOW_MS);
  }
  function isStuck(): boolean {
    const { sinceMs = Infinity } = current ?? {};
    return !isCreating && clock.monotonic() - sinceMs >= SLOW_MS + moreMs;
  }

  return {
    /** File or package that is being loaded, for people. */
    get what(): string | undefined {
      if (!current || isCreating) return current && `the services of ${current.file}`;
      const { file, imports } = current;
      return imports === undefined ? file : `${imports} for ${file}`;
    },
    /** Records that a file runs or waits for an imported package, or that it creates the services. */
    step(file: string, imports?: string, isNowCreating = false): void {
      current = { file, imports, sinceMs: clock.monotonic() };
      isCreating ||= isNowCreating;
    },
    /** Records that files changed during the load: `whenStuck` is called as soon as the load is stuck. */
    changed(whenStuck: () => void): void {
      giveUp = whenStuck;
      if (isStuck()) giveUp();
    },
    end(): void {
      giveUp = undefined;
      current = undefined;
      timer.cancel();
    },
  };
}
