import { setMaxListeners } from 'node:events';

const NOBODY: readonly never[] = [];

/**
 * How long a run goes on: until it is over, or until it is stopped before that. An `AbortSignal` costs
 * more than all else that is made for a command, so there is none until somebody asks for it.
 */
export class Lifetime {
  #controller: AbortController | undefined;
  #stopped: { readonly reason: unknown } | undefined;
  #isOver = false;
  #onStop: readonly ((reason: unknown) => void)[] = NOBODY;

  /** Aborted when the run is stopped, and when it is over. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      // A handler may send many messages at a time, each with this signal; Node.js would take the
      // eleventh for a leak and say so.
      setMaxListeners(0, this.#controller.signal);
      if (this.#stopped) this.#controller.abort(this.#stopped.reason);
      else if (this.#isOver) this.#controller.abort(overReason());
    }
    return this.#controller.signal;
  }

  /** Why it was stopped; `undefined` while it was not. */
  get stopped(): { readonly reason: unknown } | undefined {
    return this.#stopped;
  }

  /** Ends what is raced with it, and aborts the signal. The first reason counts. */
  stop(reason: unknown): void {
    if (this.#stopped || this.#isOver) return;
    this.#stopped = { reason };
    const listeners = this.#onStop;
    this.#onStop = NOBODY;
    for (const listener of listeners) listener(reason);
    this.#controller?.abort(reason);
  }

  /** Tells whoever still listens to the signal that the run is over. */
  end(): void {
    this.#isOver = true;
    if (!this.#stopped) this.#controller?.abort(overReason());
  }

  /** Settles as `promise` does, or rejects with the reason as soon as the run is stopped. */
  race<T>(promise: PromiseLike<T>): Promise<T> {
    if (this.#stopped) {
      promise.then(ignore, ignore);
      return Promise.reject(this.#stopped.reason);
    }
    return new Promise((resolve, reject) => {
      // It stays when the promise has settled, and does nothing then: a run waits a few times only.
      this.#onStop = [...this.#onStop, reject];
      promise.then(resolve, reject);
    });
  }
}

const ignore = (): void => {};

let over: DOMException | undefined;

/** One for all: making an error takes longer than a whole command should. */
function overReason(): DOMException {
  return (over ??= new DOMException('The command is over.', 'AbortError'));
}
