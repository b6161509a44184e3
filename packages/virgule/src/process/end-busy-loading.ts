import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { onLoadingStep, loadingCount } from '../loader/loading-steps.js';
import { PACKAGE_FOLDER } from '../package-folder.js';

/** Time between two heartbeats of the main thread, in milliseconds. */
const BEAT_MS = 500;

/** State that two threads share. `beats` contains the number of heartbeats, then 1 if the process was ended. */
export interface BusyWatch {
  readonly beats: Int32Array;
  readonly loading: Int32Array;
  readonly limitMs: number;
}

/**
 * Ends this process when a loading file blocks the event loop for `limitMs` milliseconds. An endless loop blocks
 * timers and signals, so a separate thread is needed.
 *
 * @returns a function that returns whether the process was ended for this reason.
 */
export function endBusyLoading(limitMs: number): () => boolean {
  const beats = new Int32Array(new SharedArrayBuffer(8));
  const watch: BusyWatch = { beats, loading: loadingCount, limitMs };
  onLoadingStep(() => {
    // Most commands load no file, so the thread starts with the first one.
    onLoadingStep(() => {});
    new Worker(join(PACKAGE_FOLDER, 'dist/process/busy-watch.js'), { workerData: watch }).unref();
    setInterval(() => {
      Atomics.add(beats, 0, 1);
      Atomics.notify(beats, 0);
    }, BEAT_MS).unref();
  });
  return () => Atomics.load(beats, 1) === 1;
}
