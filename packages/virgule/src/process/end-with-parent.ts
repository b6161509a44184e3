import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { PACKAGE_FOLDER } from '../package-folder.js';

/** How often it is checked whether the parent still runs, in milliseconds. */
const CHECK_EVERY_MS = 1_000;

/** In a thread of its own, as code of the bot may block the event loop of this one. */
const CODE = `
  const { workerData: { parent, everyMs } } = require('node:worker_threads');
  setInterval(() => {
    try {
      process.kill(parent, 0);
      if (process.ppid === parent) return;
    } catch {}
    process.kill(process.pid, 'SIGKILL');
  }, everyMs);`;

/**
 * Kills this process when its parent has ended. Without it, a process that never returns to its event loop would run
 * on after `kill -9` of its parent: it cannot receive the end of the channel between them.
 */
export function endWithParent(): void {
  const worker = new Worker(CODE, {
    eval: true,
    workerData: { parent: process.ppid, everyMs: CHECK_EVERY_MS },
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  worker.on('error', () => {});
  worker.unref();
}

/** The flags of Node.js for a process that is killed when this one has ended, even by `kill -9`. */
export const ENDS_WITH_PARENT: readonly string[] = [
  '--import',
  pathToFileURL(join(PACKAGE_FOLDER, 'dist/process/orphan-end.js')).href,
];
