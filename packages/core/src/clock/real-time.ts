import { performance } from 'node:perf_hooks';
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';

// The real timers, taken when the module is loaded: fake timers in the tests of a user replace the globals.
export { clearTimeout, setTimeout };
export const wallMs = Date.now;
export const sinceStartMs = performance.now.bind(performance);

/** Resolves after one turn of the event loop, in which all ready promise callbacks and their followers run. */
export const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Calls `callback` in a microtask. */
export const soon: (callback: () => void) => void = queueMicrotask;
