interface Watch {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Runs `callback` when `signal` is aborted, until the returned function is called. However many
 * calls share a signal, it gets one listener: Node.js takes more than ten for a leak and says so.
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
