import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { PACKAGE_FOLDER } from '../package-folder.js';

/** Interval in milliseconds at which the parent is checked. */
const CHECK_EVERY_MS = 1_000;

/** Code of a separate thread, as code of the bot may block the event loop of this thread. */
const CODE = `
  const { workerData: { parent, everyMs } } = require('node:worker_threads');
  setInterval(() => {
    try {
      process.kill(parent, 0);
      if (process.ppid === parent) return;
    } catch {}
    process.kill(process.pid, 'SIGKILL');
  }, everyMs);`;

/** Kills this process when its parent has ended: a blocked event loop cannot notice the closed channel. */
export function endWithParent(): void {
  const worker = new Worker(CODE, {
    eval: true,
    workerData: { parent: process.ppid, everyMs: CHECK_EVERY_MS },
    execArgv: [],
    env: {},
    // Streams to this thread would cost 3 ms of CPU at the start.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  worker.on('error', () => {});
  worker.unref();
}

/** Node.js flags of a child process that must end with this process, even after `kill -9`. */
export const ENDS_WITH_PARENT: readonly string[] = [
  '--import',
  pathToFileURL(join(PACKAGE_FOLDER, 'dist/process/orphan-end.js')).href,
];
