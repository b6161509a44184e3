import { setMaxListeners } from 'node:events';
import type { Clock } from '@virgule/core/clock';

/** Scope of calls: a stop of the scope ends them. */
export interface CallScope {
  /** Makes a call with a signal that is aborted when the scope is stopped, such as at a shutdown. */
  during<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** Returns a scope that a signal stops. */
export const scopeOf = (signal: AbortSignal): CallScope => ({ during: (call) => call(signal) });

/**
 * The lifetime of a run, until it ends or is stopped. Its signal is created on first use: it costs more than the rest of a
 * command.
 */
export class Lifetime<Owner = unknown> implements CallScope {
  readonly #owner: Owner;
  readonly #open: Set<Owner>;
  #controller: AbortController | undefined;
  /** Controller for the calls, which can outlast the run, such as a reminder. */
  #calls: AbortController | undefined;
  #pending = 0;
  /** Reason of the stop; `undefined` if the run was not stopped. */
  stopped: { readonly reason: unknown } | undefined;
  #hasEnded = false;
  #isDetached = false;
  #onStop: Set<(reason: unknown) => void> | undefined;

  /** @param open - set that contains the owner while a stop would end something. */
  constructor(owner: Owner, open: Set<Owner>) {
    this.#owner = owner;
    this.#open = open;
  }

  /** Signal that is aborted when the run is stopped, and when it ends. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = createController();
      if (this.stopped) this.#controller.abort(this.stopped.reason);
      else if (this.#hasEnded) this.#controller.abort(endReason());
    }
    return this.#controller.signal;
  }

  /** Returns whether the run was stopped, or has ended. */
  get isOver(): boolean {
    return this.#hasEnded || this.stopped !== undefined;
  }

  /** Stops the run: rejects the promises passed to `race`, and aborts the calls in flight. Only the first reason counts. */
  stop(reason: unknown): void {
    if (this.stopped) return;
    this.stopped = { reason };
    const listeners = this.#onStop;
    this.#onStop = undefined;
    for (const listener of listeners ?? []) listener(reason);
    this.#calls?.abort(reason);
    if (!this.#hasEnded) this.#controller?.abort(reason);
  }

  /** Ends the run: aborts its signal, but not its calls. */
  end(): void {
    this.#hasEnded = true;
    if (!this.stopped) this.#controller?.abort(endReason());
    this.#release();
  }

  /** Ends a run without aborting its signal: the handler may have left work running. */
  detach(): void {
    this.#isDetached = true;
    this.#release();
  }

  /**
   * Settles as `promise` does, or rejects with the reason as soon as the run is stopped. With a clock, the result rejects only
   * in the next turn of the event loop, so that a handler that ends because of the stop can still fulfil it.
   */
  race<T>(promise: PromiseLike<T>, clock?: Clock): Promise<T> {
    if (this.stopped) {
      promise.then(ignore, ignore);
      return Promise.reject(this.stopped.reason);
    }
    this.#open.add(this.#owner);
    const onStop = (this.#onStop ??= new Set());
    return new Promise((resolve, reject) => {
      const end = clock
        ? (reason: unknown): void => void clock.setTimeout(() => reject(reason), 0)
        : reject;
      onStop.add(end);
      promise.then(
        (value) => {
          onStop.delete(end);
          resolve(value);
        },
        (error: unknown) => {
          onStop.delete(end);
          reject(this.stopped ? this.stopped.reason : error);
        },
      );
    });
  }

  async during<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.stopped) throw this.stopped.reason;
    this.#open.add(this.#owner);
    this.#calls ??= createController();
    this.#pending += 1;
    try {
      return await call(this.#calls.signal);
    } finally {
      this.#pending -= 1;
      this.#release();
    }
  }

  #release(): void {
    if ((this.#hasEnded || this.#isDetached) && this.#pending === 0) this.#open.delete(this.#owner);
  }
}

/** Creates a controller for any number of listeners. */
export function createController(): AbortController {
  const controller = new AbortController();
  // Node.js warns (MaxListenersExceededWarning) above ten listeners.
  setMaxListeners(0, controller.signal);
  return controller;
}

const ignore = (): void => {};

let sharedReason: DOMException | undefined;

/** Returns the reason of an ended run. All runs share one error: creating an error takes longer than a whole command. */
const endReason = (): DOMException =>
  (sharedReason ??= new DOMException('The command has ended.', 'AbortError'));
