/**
 * A promise that knows whether anyone waits for it. A handler that forgets `await` must neither end the
 * process when its message is refused, nor lose it without a trace.
 */
export class WatchedPromise<T> extends Promise<T> {
  #isAwaited = false;

  /** What `then` returns is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** @param onFailed - called when the promise was rejected, whether anyone waits for it or not. */
  static watch<T>(
    promise: Promise<T>,
    onFailed: (error: unknown, watched: WatchedPromise<T>) => void,
  ): WatchedPromise<T> {
    const watched = new WatchedPromise<T>((resolve, reject) => {
      promise.then(resolve, (error: unknown) => {
        reject(error);
        onFailed(error, watched);
      });
    });
    // Handled here, so that it is no unhandled rejection, and not counted as waited for.
    void Promise.prototype.then.call(watched, undefined, () => {});
    return watched;
  }

  /** Whether `then` was called, as `await`, `catch` and `Promise.all` do. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a promise has one
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#isAwaited = true;
    return super.then(onFulfilled, onRejected);
  }
}
