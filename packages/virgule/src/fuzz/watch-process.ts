import { relative } from 'node:path';
import { thrownAt } from '../loader/stack-traces.js';

/** Functions whose results no seed controls; `Date` is `new Date()`. */
const FREE = ['Date.now', 'Date', 'Math.random', 'fetch', 'setTimeout', 'setInterval'] as const;

const UNCAUGHT = ['unhandledRejection', 'uncaughtException'] as const;

export type ProcessWatch = ReturnType<typeof watchProcess>;

/**
 * Counts the calls of functions that make a run differ from another one, and keeps errors that nothing handles, which
 * would end the process. Ends when it is disposed.
 */
export function watchProcess(root: string) {
  /** Number of calls by name and place, such as `Date.now (commands/x.ts:4)`. */
  const calls = new Map<string, number>();
  const unhandled: unknown[] = [];

  function count(name: string): void {
    const { stackTraceLimit } = Error;
    // This function, the trap of the proxy, and the caller: libraries are not counted.
    Error.stackTraceLimit = 3;
    const place = thrownAt(new Error(name));
    Error.stackTraceLimit = stackTraceLimit;
    if (!place) return;
    const text = `${name} (${relative(root, place.file)}:${place.line})`;
    calls.set(text, (calls.get(text) ?? 0) + 1);
  }

  const originals = FREE.map((name) => {
    const [key = '', group] = name.split('.').toReversed();
    const owner = group ? (Reflect.get(globalThis, group) as object) : globalThis;
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
    return () => Reflect.set(owner, key, original);
  });

  const keep = (error: unknown): void => void unhandled.push(error);
  const others = UNCAUGHT.map((event) => [event, process.rawListeners(event)] as const);
  for (const [event] of others) process.removeAllListeners(event).on(event, keep);

  return {
    calls,
    unhandled,
    [Symbol.dispose](): void {
      for (const restore of originals) restore();
      for (const [event, listeners] of others) {
        process.off(event, keep);
        for (const listener of listeners) process.on(event, listener as () => void);
      }
    },
  };
}
