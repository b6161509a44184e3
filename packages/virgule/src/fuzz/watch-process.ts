import { relative } from 'node:path';
import { thrownAt } from '../loader/stack-traces.js';

/** Functions whose results no seed controls; `Date` is `new Date()`. */
const FREE = ['Date.now', 'Date', 'Math.random', 'fetch', 'setTimeout', 'setInterval'] as const;

const UNCAUGHT = ['unhandledRejection', 'uncaughtException'] as const;

/**
 * Counts the calls of functions that make a run differ from another one, and passes on errors that nothing handles, which
 * would end the process. Ends when it is disposed.
 */
export function watchProcess(root: string, onUnhandled: (error: unknown) => void) {
  /** Number of calls by name and place, such as `Date.now (commands/x.ts:4)`. */
  const calls = new Map<string, number>();
  const undo: (() => void)[] = [];

  function count(name: string): void {
    const { stackTraceLimit } = Error;
    // This function, the trap of the proxy, and the caller: libraries are not counted.
    Error.stackTraceLimit = 3;
    const place = placeOf(root, new Error(name));
    Error.stackTraceLimit = stackTraceLimit;
    if (place) calls.set(`${name} (${place})`, (calls.get(`${name} (${place})`) ?? 0) + 1);
  }

  for (const name of FREE) {
    const [key = '', group = 'globalThis'] = name.split('.').toReversed();
    const owner = Reflect.get(globalThis, group) as object;
    const original = Reflect.get(owner, key) as () => unknown;
    const counted = new Proxy(original, {
      apply(call, self, given) {
        count(name);
        return Reflect.apply(call, self, given);
      },
      construct(type, given, target) {
        if (given.length === 0) count(name);
        return Reflect.construct(type, given, target) as object;
      },
    });
    Reflect.set(owner, key, counted);
    undo.push(() => Reflect.set(owner, key, original));
  }
  for (const event of UNCAUGHT) {
    const others = process.rawListeners(event);
    process.removeAllListeners(event).on(event, onUnhandled);
    undo.push(() => {
      process.off(event, onUnhandled);
      for (const listener of others) process.on(event, listener as () => void);
    });
  }
  return { calls, [Symbol.dispose]: () => undo.forEach((restore) => restore()) };
}

/** Returns the place in the files of the bot at which an error was thrown, such as `commands/roll.ts:12`. */
export function placeOf(root: string, error: unknown): string | undefined {
  const thrown = thrownAt(error);
  return thrown && `${relative(root, thrown.file)}:${thrown.line}`;
}
