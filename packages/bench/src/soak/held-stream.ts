import type { Socket } from 'node:net';

export interface StreamState {
  /** `true` if data is held back. */
  readonly held: boolean;
  /** Delay of each chunk, in milliseconds. */
  readonly delayMs: number;
}

interface Piece {
  /** `undefined` for the end of the stream. */
  readonly chunk: Buffer | undefined;
  readonly dueMs: number;
}

/** One direction of a connection: forwards chunks in order, as the state allows. */
export class HeldStream {
  readonly #target: Socket;
  readonly #state: () => StreamState;
  readonly #queue: Piece[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(target: Socket, state: () => StreamState) {
    this.#target = target;
    this.#state = state;
  }

  push(chunk: Buffer | undefined): void {
    this.#queue.push({ chunk, dueMs: performance.now() + this.#state().delayMs });
    this.flush();
  }

  /** Forwards the chunks that are due. Must be called when the state changes. */
  flush(): void {
    clearTimeout(this.#timer);
    for (;;) {
      const next = this.#queue[0];
      if (!next || this.#state().held) return;
      const waitMs = next.dueMs - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.flush(), Math.ceil(waitMs));
        return;
      }
      this.#queue.shift();
      if (!this.#target.writable) continue;
      if (next.chunk === undefined) this.#target.end();
      else this.#target.write(next.chunk);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#queue.length = 0;
  }
}
