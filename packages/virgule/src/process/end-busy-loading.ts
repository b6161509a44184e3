import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { onLoadingStep, loadingCount } from '../loader/loading-steps.js';
import { PACKAGE_FOLDER } from '../package-folder.js';

/** Time between two heartbeats of the main thread, in milliseconds. */
const BEAT_MS = 500;

/** What the two threads share: a count of heartbeats, and whether the process was ended. */
export interface BusyWatch {
  readonly beats: Int32Array;
  readonly loading: Int32Array;
  readonly limitMs: number;
}

/**
 * Ends this process when a file that is being loaded keeps it busy for so long: a loop without an end lets neither a
 * timer nor a signal through, so that only another thread can.
 *
 * @returns whether it was ended so.
 */
export function endBusyLoading(limitMs: number): () => boolean {
  const beats = new Int32Array(new SharedArrayBuffer(8));
  const watch: BusyWatch = { beats, loading: loadingCount, limitMs };
  onLoadingStep(() => {
    // Most commands load nothing: the thread starts with the first file.
    onLoadingStep(() => {});
    new Worker(join(PACKAGE_FOLDER, 'dist/process/busy-watch.js'), { workerData: watch }).unref();
    setInterval(() => {
      Atomics.add(beats, 0, 1);
      Atomics.notify(beats, 0);
    }, BEAT_MS).unref();
  });
  return () => Atomics.load(beats, 1) === 1;
}
