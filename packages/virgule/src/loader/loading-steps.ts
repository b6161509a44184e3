import type { Clock } from '@virgule/core/clock';

/** A file that runs, or waits for a package it imports. */
export interface LoadingStep {
  readonly file: string;
  readonly imports?: string | undefined;
}

/** Of all loaders of this process, the last one that began comes last. */
const steps: LoadingStep[] = [];

/** How many files are being loaded, as another thread may read it: this one may never come back. */
export const loadingCount = new Int32Array(new SharedArrayBuffer(4));

/** Returns what is being loaded in this process: the innermost, when it is several. */
export const loadingNow = (): LoadingStep | undefined => steps.at(-1);

type OnStep = (step: LoadingStep) => void;
let onStep: OnStep = () => {};

/** Calls back before each step of this process. An earlier callback is replaced. */
export const onLoadingStep = (callback: OnStep): void => void (onStep = callback);

/** Notes that something is being loaded. @returns how to note that it no longer is. */
export function beginStep(step: LoadingStep): () => void {
  onStep(step);
  loadingCount[0] = steps.push(step);
  return () => {
    const index = steps.lastIndexOf(step);
    if (index >= 0) steps.splice(index, 1);
    loadingCount[0] = steps.length;
  };
}

/** How long a top-level await may take, in milliseconds. */
export const STUCK_MS = 8_000;

/**
 * Waits for the code of a module that waits itself, and keeps the process alive meanwhile. One that takes longer than
 * 8 s is given up, unless it waits for another one of the project, which is given up first.
 *
 * @throws what the code throws, or what `stuck` makes.
 */
export async function unlessStuck(
  running: Promise<void>,
  step: LoadingStep,
  { clock, stuck }: { readonly clock: Clock; readonly stuck: () => unknown },
): Promise<void> {
  const end = beginStep(step);
  const isDone = new AbortController();
  async function giveUp(): Promise<never> {
    // A package is waited for by the file that imports it, and has no limit of its own.
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
