import type { Socket } from 'node:net';

/** What a WebSocket is written to, as far as its writes can be held back. */
export type Wire = Pick<Socket, 'cork' | 'uncork'>;

/**
 * Lets the frames of one step of the program leave in one system call. They leave when the step is
 * over and before anything that waits for it, such as the answer to the request that caused them.
 */
export class JoinedWrites {
  readonly #wire: Wire;
  #isHeld = false;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** The next write leaves together with the others of this step. */
  join(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#wire.cork();
    queueMicrotask(() => this.flush());
  }

  /** Writes now what is held back. */
  flush(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#wire.uncork();
  }
}
