import type { Socket } from 'node:net';

/** The part of a socket that buffers its writes. */
export type Wire = Pick<Socket, 'cork' | 'uncork'>;

/**
 * Joins the frames of one task into one system call. The write happens in a microtask, before anything that waits for
 * the task, such as the response to the request that caused the frames.
 */
export class JoinedWrites {
  readonly #wire: Wire | undefined;
  #isHeld = false;

  constructor(wire: Wire | undefined) {
    this.#wire = wire;
  }

  /** Joins the next write with the others of this task. */
  join(): void {
    if (this.#isHeld || !this.#wire) return;
    this.#isHeld = true;
    this.#wire.cork();
    // `queueMicrotask` would create an async resource each time.
    void Promise.resolve().then(() => this.flush());
  }

  /** Writes the buffered frames now. */
  flush(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#wire?.uncork();
  }
}
