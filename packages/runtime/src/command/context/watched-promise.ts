import { errorText } from '@virgule/core/errors';

/** Returns the text for a message that failed and was not awaited. @param owner - command or file whose code sent the message */
export const lostText = (owner: string, error: unknown): string =>
  `a message of ${owner} was not sent, and its handler did not wait for it: ${errorText(error)}`;

/** A promise that knows whether it is awaited: a refused message without `await` is logged, and does not end the process. */
export class WatchedPromise<T> extends Promise<T> {
  #isAwaited = false;

  /** Makes `then` return an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** Returns a watched promise of `promise`. `onFailed` is called when it is rejected, whether it is awaited or not. */
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
    // Prevents an unhandled rejection. The `then` of `Promise` does not count as awaiting.
    void Promise.prototype.then.call(watched, undefined, () => {});
    return watched;
  }

  /** Returns whether `then` was called, as `await`, `catch` and `Promise.all` do. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a promise has a `then`
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#isAwaited = true;
    return super.then(onFulfilled, onRejected);
  }
}
