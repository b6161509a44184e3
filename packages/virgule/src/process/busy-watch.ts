import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import type { BusyWatch } from './end-busy-loading.js';

/** The thread that waits for signs of life of the main one, which passes these values. */
const { beats, loading, limitMs } = workerData as BusyWatch;

for (;;) {
  const hasBeat = Atomics.wait(beats, 0, Atomics.load(beats, 0), limitMs) !== 'timed-out';
  if (!hasBeat && Atomics.load(loading, 0) > 0) break;
}
Atomics.store(beats, 1, 1);
const main = new Session();
main.connectToMainThread();
// Only the inspector gets into a loop. `process.exit()` in it calls the listeners to `exit`.
main.post('Runtime.evaluate', { expression: 'process.exit(1)' });
