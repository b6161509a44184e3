import type { Clock } from '../clock/clock.js';

const watches = new WeakMap<AbortSignal, ReturnType<typeof startWatch>>();

/**
 * Calls `listener` once with the reason of the abort, at once if the signal is aborted. All calls for a signal share one
 * event listener: Node.js warns above ten. Returns a function that removes the listener.
 */
export function onAbort(signal: AbortSignal, listener: (reason: unknown) => void): () => void {
  const call = (): void => listener(signal.reason);
  if (signal.aborted) {
    call();
    return () => {};
  }
  const watch = watches.get(signal) ?? startWatch(signal);
  watch.callbacks.add(call);
  return () => {
    watch.callbacks.delete(call);
    if (watch.callbacks.size > 0) return;
    signal.removeEventListener('abort', watch.listener);
    // A newer watch may exist after this one has fired.
    if (watches.get(signal) === watch) watches.delete(signal);
  };
}

/**
 * Settles as `promise` does, or rejects with the reason of the signal; with a clock one turn later, so that the abort can
 * still fulfill the promise.
 */
export function raceAbort<T>(
  promise: PromiseLike<T>,
  signal: AbortSignal,
  clock?: Pick<Clock, 'setTimeout'>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const detach = onAbort(
      signal,
      clock ? (reason) => void clock.setTimeout(() => reject(reason), 0) : reject,
    );
    promise
      .then(resolve, (error: unknown) => reject(signal.aborted ? signal.reason : error))
      .then(detach, detach);
  });
}

/** A controller that follows other signals until it is released. */
export type LinkedController = ReturnType<typeof linkSignals>;

/** Creates a controller that is aborted, with the same reason, when the first of `signals` is. */
export function linkSignals(...signals: readonly (AbortSignal | undefined)[]) {
  const controller = new AbortController();
  const signal: AbortSignal = controller.signal;
  const leaves = signals.map(
    (other) => other && onAbort(other, (reason) => controller.abort(reason)),
  );
  return {
    signal,
    abort: (reason?: unknown) => controller.abort(reason),
    /** Removes the listeners from the other signals. */
    unlink() {
      for (const leave of leaves) leave?.();
    },
  };
}

function startWatch(signal: AbortSignal) {
  const callbacks = new Set<() => void>();
  const listener = (): void => {
    watches.delete(signal);
    for (const callback of callbacks) callback();
  };
  const watch = { callbacks, listener };
  signal.addEventListener('abort', listener, { once: true });
  watches.set(signal, watch);
  return watch;
}
