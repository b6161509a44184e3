import { performance } from 'node:perf_hooks';
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';

// Captured when the module is loaded: this code also runs in tests of others, whose fake timers replace the globals.
// Looked up when they are used, they would never fire.
export { clearTimeout, setTimeout };
export const wallMs = Date.now;
export const sinceStartMs = performance.now.bind(performance);

/** Resolves after a turn of the event loop: every promise callback that is ready has run, and those that they start. */
export const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Calls `callback` in a microtask. */
export const soon: (callback: () => void) => void = queueMicrotask;
