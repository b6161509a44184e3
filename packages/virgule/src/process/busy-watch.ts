import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import type { BusyWatch } from './report-early-end.js';

/** Values that the main thread shares with this one, which waits for its heartbeats. */
const { beats, loading, limitMs } = workerData as BusyWatch;

for (;;) {
  const hasBeat = Atomics.wait(beats, 0, Atomics.load(beats, 0), limitMs) !== 'timed-out';
  if (!hasBeat && Atomics.load(loading, 0) > 0) break;
}
Atomics.store(beats, 1, 1);
const main = new Session();
main.connectToMainThread();
// Only the inspector can interrupt a loop. A `process.exit()` evaluated by it calls the listeners to `exit`.
main.post('Runtime.evaluate', { expression: 'process.exit(1)' });
