/** Resolves at Ctrl+C or SIGTERM. */
export function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Waits for a task, but not past Ctrl+C or SIGTERM; rejects with the reason of the signal then. */
export function unlessInterrupted<T>(signal: AbortSignal, task: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    task.finally(() => signal.removeEventListener('abort', stop)).then(resolve, reject);
  });
}
