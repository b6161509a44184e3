// Imported into the process of a bot with `--import`: counts what its code does between two requests of the bench.
// Requires `--expose-gc`.
import { createHook } from 'node:async_hooks';
import { Socket } from 'node:net';
import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { answerParent } from '../rounds/parent-port.js';

const counts = { writes: 0, timers: 0, promises: 0 };

/** Returns whether undici starts a timer for an idle connection. Their number depends on how calls overlap. */
const isOfIdleConnection = (): boolean =>
  new Error().stack?.includes('at Parser.setTimeout ') === true;

const hook = createHook({
  init(_id, type) {
    if (type === 'PROMISE') counts.promises += 1;
    else if (type === 'Timeout' && !isOfIdleConnection()) counts.timers += 1;
  },
});

// Each call is a system call, with all chunks that are corked. Node.js has no public hook for it.
const sockets = Socket.prototype as unknown as {
  _writeGeneric: (this: Socket, ...args: unknown[]) => unknown;
};
const write = sockets._writeGeneric;
sockets._writeGeneric = function countedWrite(this: Socket, ...args) {
  counts.writes += 1;
  return write.apply(this, args);
};

let collections = 0;
new PerformanceObserver((list) => (collections += list.getEntries().length)).observe({
  entryTypes: ['gc'],
});
let heapBytes = 0;

/** Waits until past collections are reported. */
async function turns(): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) await turn();
}

answerParent({
  beginCounts() {
    hook.enable();
    Object.assign(counts, { writes: 0, timers: 0, promises: 0 });
  },
  counts() {
    hook.disable();
    return counts;
  },
  async beginHeap() {
    globalThis.gc?.();
    await turns();
    collections = 0;
    heapBytes = process.memoryUsage().heapUsed;
  },
  async heap() {
    const bytes = process.memoryUsage().heapUsed - heapBytes;
    await turns();
    return { bytes, collections };
  },
});
