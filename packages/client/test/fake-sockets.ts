import type {
  GatewaySocket,
  GatewaySocketConstructor,
  GatewaySocketOptions,
  RefusedUpgrade,
} from '@virgule/client/gateway';

type Listener = (...values: never[]) => void;

/** A socket whose other end is the test. */
export interface FakeSocket extends GatewaySocket {
  readonly url: string;
  readonly options: GatewaySocketOptions;
  /** Everything the client sent, parsed. */
  readonly sent: readonly unknown[];
  /** The way in which the client ended the socket. */
  readonly ended: 'no' | 'closed' | 'terminated';
  accept(): void;
  /** Sends a frame; a string goes out as it is. */
  frame(frame: unknown): void;
  binary(bytes: Uint8Array): void;
  /** Sends bytes as a text frame. */
  text(bytes: Uint8Array): void;
  refuse(response: RefusedUpgrade): void;
  fail(error: Error): void;
  /** The connection closes, on the initiative of either side. */
  hangUp(code: number, reason?: string): void;
}

export interface FakeSockets {
  readonly WebSocket: GatewaySocketConstructor;
  /** Every socket that was opened. */
  readonly opened: readonly FakeSocket[];
  /** The last one. */
  readonly last: FakeSocket;
}

/** Sockets without a network: nothing happens on them unless the test makes it happen. */
export function createFakeSockets(): FakeSockets {
  const opened: FakeSocket[] = [];

  class Socket implements FakeSocket {
    readonly url: string;
    readonly options: GatewaySocketOptions;
    readonly sent: unknown[] = [];
    ended: 'no' | 'closed' | 'terminated' = 'no';
    readonly #listeners = new Map<string, Listener>();

    constructor(url: string, options: GatewaySocketOptions) {
      this.url = url;
      this.options = options;
      opened.push(this);
    }

    on(event: string, listener: Listener): void {
      this.#listeners.set(event, listener);
    }

    send(text: string): void {
      this.sent.push(JSON.parse(text));
    }

    close(): void {
      this.ended = 'closed';
    }

    terminate(): void {
      this.ended = 'terminated';
    }

    accept(): void {
      this.#emit('open');
    }

    frame(frame: unknown): void {
      const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
      this.#emit('message', Buffer.from(text), false);
    }

    binary(bytes: Uint8Array): void {
      this.#emit('message', bytes, true);
    }

    text(bytes: Uint8Array): void {
      this.#emit('message', bytes, false);
    }

    refuse(response: RefusedUpgrade): void {
      this.#emit('unexpected-response', undefined, response);
    }

    fail(error: Error): void {
      this.#emit('error', error);
    }

    hangUp(code: number, reason = ''): void {
      this.#emit('close', code, Buffer.from(reason));
    }

    #emit(event: string, ...values: readonly unknown[]): void {
      // The listener of each event takes what the methods above hand over for it.
      this.#listeners.get(event)?.(...(values as never[]));
    }
  }

  return {
    WebSocket: Socket,
    opened,
    get last() {
      const socket = opened.at(-1);
      if (!socket) throw new Error('No socket was opened.');
      return socket;
    },
  };
}
