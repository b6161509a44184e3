import type { Clock } from '@virgule/core/clock';

/** File that is running or waiting; `imports` is the package that the file waits for. */
export interface LoadingStep {
  readonly file: string;
  readonly imports?: string | undefined;
}

/** Steps in progress in all loaders of this process, the latest one last. */
const steps: LoadingStep[] = [];

/** Returns the step in progress in this process: the innermost one, if there are several. */
export const loadingNow = (): LoadingStep | undefined => steps.at(-1);

type OnStep = (step: LoadingStep) => void;
let onStep: OnStep = () => {};

/** Calls back before each step of this process. An earlier callback is replaced. */
export const onLoadingStep = (callback: OnStep): void => void (onStep = callback);

/** Records a step. @returns a function that ends the step; with `isWhole`, also the steps within, which may be interrupted. */
export function beginStep(step: LoadingStep): (isWhole?: boolean) => void {
  onStep(step);
  steps.push(step);
  return (isWhole) => {
    const index = steps.lastIndexOf(step);
    if (index >= 0) steps.splice(index, isWhole ? steps.length : 1);
  };
}

/** Time limit for the top-level code of a file, in milliseconds: from its start, and for each `await` after that. */
export const STUCK_MS = 8_000;

/**
 * Waits for a module with top-level await, and keeps the process alive during the wait. Gives up after 8 s, unless
 * the module waits for another module of the project, which is given up first.
 * @throws The error of the module, or the error that `stuck` creates.
 */
export async function unlessStuck(
  running: Promise<void>,
  step: LoadingStep,
  { clock, stuck }: { readonly clock: Clock; readonly stuck: () => unknown },
): Promise<void> {
  const end = beginStep(step);
  const isDone = new AbortController();
  async function giveUp(): Promise<never> {
    // The wait for a package belongs to the step of the importing file, so steps with `imports` have no limit.
    do await clock.sleep(STUCK_MS, { signal: isDone.signal });
    while (steps.findLast(({ imports }) => imports === undefined) !== step);
    throw stuck();
  }
  try {
    await Promise.race([running, giveUp()]);
  } finally {
    end();
    isDone.abort();
  }
}
