// Module for `--import` of a child process: ends the process when its parent has ended.
import { isMainThread } from 'node:worker_threads';
import { endWithParent } from './end-with-parent.js';

// Threads of the program import this module too, and so would its child processes.
if (isMainThread) {
  const { execArgv } = process;
  execArgv.splice(execArgv.indexOf('--import'), 2);
  endWithParent();
}
