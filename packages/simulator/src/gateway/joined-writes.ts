import type { Socket } from 'node:net';

/** The part of a socket that buffers its writes. */
export type Wire = Pick<Socket, 'cork' | 'uncork'>;

/** Joins the frames of one task into one system call, in a microtask: before the response to the request of the task. */
export class JoinedWrites {
  readonly #wire: Wire | undefined;
  #isHeld = false;

  constructor(wire: Wire | undefined) {
    this.#wire = wire;
  }

  join(): void {
    if (this.#isHeld || !this.#wire) return;
    this.#isHeld = true;
    this.#wire.cork();
    // `queueMicrotask` would create an async resource each time.
    void Promise.resolve().then(() => this.flush());
  }

  flush(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#wire?.uncork();
  }
}
