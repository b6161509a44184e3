/**
 * Calls `listener` with the reason when a signal is aborted: at once if it already is, and never twice.
 *
 * @returns a function that removes the listener.
 */
export function onAbort(signal: AbortSignal, listener: (reason: unknown) => void): () => void {
  const call = (): void => listener(signal.reason);
  if (signal.aborted) call();
  else signal.addEventListener('abort', call, { once: true });
  return () => signal.removeEventListener('abort', call);
}

/** Settles as `promise` does, or rejects with the signal's reason as soon as it is aborted. */
export function raceAbort<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const detach = onAbort(signal, reject);
    promise.then(resolve, reject).then(detach, detach);
  });
}
