import { closeSync } from 'node:fs';
import { relative } from 'node:path';
import { Worker } from 'node:worker_threads';
import { formatError } from '@virgule/core/errors';
import { cliErrors } from '../terminal/cli-errors.js';
import type { Io } from '../terminal/io.js';
import { loadingCount, loadingNow, onLoadingStep, STUCK_MS } from '../loader/loading-steps.js';

/**
 * Reports an end of this process before the end of its command, with exit code 1. Code of the project that is loaded
 * here may call `process.exit()`, wait for a promise that cannot settle, or run forever.
 *
 * @returns a function that marks the command as ended.
 */
export function reportEarlyEnd({ cwd, interrupt }: Io): () => void {
  let isExpected = false;
  const expect = (): void => void (isExpected = true);
  // An uncaught exception is reported elsewhere, and ends the process.
  process.prependListener('uncaughtExceptionMonitor', expect);
  const isBusy = endBusyLoading(STUCK_MS);
  let isIdle = false;
  process.on('beforeExit', () => void (isIdle = true));
  process.on('exit', (exitCode) => {
    if (isExpected || interrupt.aborted) return;
    const { file, imports } = loadingNow() ?? {};
    const error = cliErrors.E_ENDED_EARLY({
      exitCode: isIdle || isBusy() ? undefined : exitCode,
      file: file === undefined ? undefined : relative(cwd, file),
      imports,
      busyMs: isBusy() ? STUCK_MS : undefined,
    });
    process.stderr.write(`${formatError(error)}\n`);
    process.exitCode = 1;
    // Node.js would print that it waits for a debugger, because the other thread counts as one.
    if (isBusy()) closeSync(process.stderr.fd);
  });
  return expect;
}

/** Time between two heartbeats of the main thread, in milliseconds. */
const BEAT_MS = 500;

/** State that two threads share. `beats` contains the number of heartbeats, then 1 if the process was ended. */
interface BusyWatch {
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
function endBusyLoading(limitMs: number): () => boolean {
  const beats = new Int32Array(new SharedArrayBuffer(8));
  const watch: BusyWatch = { beats, loading: loadingCount, limitMs };
  onLoadingStep(() => {
    // Most commands load no file, so the thread starts with the first one.
    onLoadingStep(() => {});
    const streams = { stdout: true, stderr: true };
    new Worker(CODE, { eval: true, workerData: watch, execArgv: [], env: {}, ...streams }).unref();
    setInterval(() => {
      Atomics.add(beats, 0, 1);
      Atomics.notify(beats, 0);
    }, BEAT_MS).unref();
  });
  return () => Atomics.load(beats, 1) === 1;
}

/** Code of the thread as a string: loading a module there takes as long as the start of the thread. */
const CODE = `(${watchMainThread.toString()})();`;

function watchMainThread(): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const { Session } = process.getBuiltinModule('node:inspector');
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
}
