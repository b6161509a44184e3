import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { soon } from '@virgule/core/clock';
import type { ServerSocket } from './server-socket.js';

const OPEN = 1;
const CLOSED = 3;
const NO_STATUS = 1005;
const ABRUPT = 1006;

/** One end of a connection inside this process, which behaves like a `WebSocket` of the package ws. */
class SocketEnd extends EventEmitter implements ServerSocket {
  readonly OPEN = OPEN;
  readonly bufferedAmount = 0;
  readyState = OPEN;
  #peer: SocketEnd | undefined;

  connectTo(peer: SocketEnd): void {
    this.#peer = peer;
  }

  send(text: string): void {
    const peer = this.#peer;
    soon(() => {
      if (peer?.readyState === OPEN) peer.emit('message', Buffer.from(text), false);
    });
  }

  close(code = NO_STATUS, reason = ''): void {
    this.#end(code, reason);
  }

  terminate(): void {
    this.#end(ABRUPT, '');
  }

  #end(code: number, reason: string): void {
    // Closes after the frames that were sent before.
    soon(() => {
      for (const end of [this, this.#peer]) {
        if (end?.readyState !== OPEN) continue;
        end.readyState = CLOSED;
        end.emit('close', code, Buffer.from(reason));
      }
    });
  }
}

/** Client end of a connection, with the events of a `WebSocket` of the package ws. */
export interface MemorySocket {
  on(event: 'open', listener: () => void): unknown;
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown;
  on(event: 'close', listener: (code: number, reason: Buffer) => void): unknown;
  /** Emitted only because of a fault, as is `unexpected-response`. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(
    event: 'unexpected-response',
    listener: (request: unknown, response: IncomingMessage) => void,
  ): unknown;
  send(text: string): void;
  close(code?: number): void;
  /** Ends the connection without a close frame. */
  terminate(): void;
}

/** The constructor of sockets that reach the simulator without a network. */
export type MemorySocketConstructor = new (url: string, options?: object) => MemorySocket;

/** Creates the constructor. Frames arrive in microtasks. @param refuse - returns the response to a rejected connection. */
export function createMemorySockets(
  accept: (socket: ServerSocket) => void,
  refuse: () => { readonly status: number } | 'cut' | undefined,
): MemorySocketConstructor {
  return class extends SocketEnd {
    constructor(_url: string, _options?: object) {
      super();
      const server = new SocketEnd();
      this.connectTo(server);
      server.connectTo(this);
      soon(() => {
        const refusal = refuse();
        if (refusal === undefined) {
          this.emit('open');
          if (this.readyState === OPEN) accept(server);
        } else if (refusal === 'cut') {
          this.emit('error', new Error('socket hang up'));
          this.terminate();
        } else {
          this.emit('unexpected-response', {}, { statusCode: refusal.status, headers: {} });
        }
      });
    }
  };
}
