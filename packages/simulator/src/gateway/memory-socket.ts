import { EventEmitter } from 'node:events';
import { soon } from '@virgule/core/clock';
import type { ServerSocket } from './server-socket.js';

const OPEN = 1;
const CLOSED = 3;
const NO_STATUS = 1005;
const ABRUPT = 1006;

/** One end of a connection inside this process, which behaves like a `WebSocket` of the package ws. */
class MemorySocket extends EventEmitter implements ServerSocket {
  readonly OPEN = OPEN;
  readonly bufferedAmount = 0;
  readyState = OPEN;
  /** The other end. */
  peer: MemorySocket | undefined;

  send(text: string): void {
    const { peer } = this;
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
      for (const end of [this, this.peer]) {
        if (end?.readyState !== OPEN) continue;
        end.readyState = CLOSED;
        end.emit('close', code, Buffer.from(reason));
      }
    });
  }
}

/** The constructor of sockets that reach the simulator without a network. */
export type MemorySocketConstructor = new (url: string, options?: object) => MemorySocket;

/** Creates the constructor. Frames arrive in microtasks. @param refuse - returns the response to a rejected connection. */
export function createMemorySockets(
  accept: (socket: ServerSocket) => void,
  refuse: () => { readonly status: number } | 'cut' | undefined,
): MemorySocketConstructor {
  return class extends MemorySocket {
    constructor(_url: string, _options?: object) {
      super();
      const server = new MemorySocket();
      this.peer = server;
      server.peer = this;
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
