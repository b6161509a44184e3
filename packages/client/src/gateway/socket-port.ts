import type { CreateConnection } from '../request/proxy.js';

/** What a message arrives as; text frames too. */
export type SocketData = Uint8Array | ArrayBuffer | readonly Uint8Array[];

/** The answer to an upgrade that was not granted. */
export interface RefusedUpgrade {
  readonly statusCode?: number | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The part of a `WebSocket` of the package ws that is used. */
export interface GatewaySocket {
  on(event: 'open', listener: () => void): unknown;
  on(event: 'message', listener: (data: SocketData, isBinary: boolean) => void): unknown;
  on(event: 'close', listener: (code: number, reason: Uint8Array) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(
    event: 'unexpected-response',
    listener: (request: unknown, response: RefusedUpgrade) => void,
  ): unknown;
  send(text: string): void;
  close(code: number): void;
  /** Drops the connection without a close frame. */
  terminate(): void;
}

export interface GatewaySocketOptions {
  /** False: compressing frames costs more than it saves on frames this small. */
  readonly perMessageDeflate: false;
  /** The largest frame, in bytes; a larger one ends the connection. */
  readonly maxPayload: number;
  /** True: text is checked frame by frame, and a bad one is dropped instead of ending the connection. */
  readonly skipUTF8Validation: true;
  /** Opens the connection through a proxy; absent when there is none. */
  readonly createConnection?: CreateConnection | undefined;
}

/** Opens a socket. The `WebSocket` class of the package ws fits. */
export type GatewaySocketConstructor = new (
  url: string,
  options: GatewaySocketOptions,
) => GatewaySocket;
