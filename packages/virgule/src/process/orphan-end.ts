// Imported before a program that another one starts, with `--import`: ends it when that one is gone.
import { isMainThread } from 'node:worker_threads';
import { endWithParent } from './end-with-parent.js';

// Threads of the program import this too, and so would its own processes.
if (isMainThread) {
  const { execArgv } = process;
  execArgv.splice(execArgv.indexOf('--import'), 2);
  endWithParent();
}
