interface Watch {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Runs `callback` when `signal` is aborted, until the returned function is called. However many
 * calls share a signal, it gets one listener: Node.js warns (MaxListenersExceededWarning) above ten.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const watch = watches.get(signal) ?? startWatch(signal);
  watch.callbacks.add(callback);
  return () => {
    watch.callbacks.delete(callback);
    if (watch.callbacks.size > 0) return;
    signal.removeEventListener('abort', watch.listener);
    // A newer watch may stand there once this one has fired.
    if (watches.get(signal) === watch) watches.delete(signal);
  };
}

/** A controller that follows other signals until it is released. */
export interface LinkedController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Removes its listeners from the others. */
  unlink(): void;
}

/** Makes a controller that is aborted, with the same reason, as soon as one of `signals` is. */
export function linkSignals(...signals: readonly (AbortSignal | undefined)[]): LinkedController {
  const controller = new AbortController();
  const leaves = signals.map((signal) => {
    if (!signal) return undefined;
    const abort = (): void => controller.abort(signal.reason);
    if (!signal.aborted) return onAbort(signal, abort);
    abort();
    return undefined;
  });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink() {
      for (const leave of leaves) leave?.();
    },
  };
}

function startWatch(signal: AbortSignal): Watch {
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
