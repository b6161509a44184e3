import type { ClientRequest } from 'node:http';
import { GATEWAY_PATH } from '@virgule/core/protocol';
import { resolveAddress } from '../address/address.js';
import {
  resolveProxy,
  tunnelTo,
  type CreateConnection,
  type ProxyOptions,
} from '../request/proxy.js';

/** Data of a message, also of a text frame. */
export type SocketData = Uint8Array | ArrayBuffer | readonly Uint8Array[];

/** Answer to a refused upgrade. */
export interface RefusedUpgrade {
  readonly statusCode?: number | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Part of the `WebSocket` of the package ws that the gateway uses. */
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

/** Options of a new WebSocket. */
export interface GatewaySocketOptions {
  /** Compression, which is off because the frames are small. */
  readonly perMessageDeflate: false;
  /** Maximum size of a frame, in bytes. A larger frame ends the connection. */
  readonly maxPayload: number;
  /** Set to true because the gateway validates UTF-8 itself: an invalid frame is dropped and the connection stays open. */
  readonly skipUTF8Validation: true;
  /** Opens the connection through a proxy; absent without a proxy. */
  readonly createConnection?: CreateConnection | undefined;
}

/** Class of sockets, such as `WebSocket` of the package ws. */
export type GatewaySocketConstructor = new (
  url: string,
  options: GatewaySocketOptions,
) => GatewaySocket;

/**
 * Returns the origin and URL of the sockets of a gateway, and the tunnel of their connections if there is a proxy.
 *
 * @throws VirguleError `E_BAD_ADDRESS` when `gatewayUrl` is not a ws(s) address.
 */
export function resolveGatewayAddress(gatewayUrl: string, proxy: ProxyOptions['proxy']) {
  const schemes = ['ws:', 'wss:'];
  const { origin, prefix } = resolveAddress('gatewayUrl', gatewayUrl, schemes, GATEWAY_PATH);
  const tunnel = tunnelTo(origin, resolveProxy(proxy));
  return { origin, url: `${origin}${prefix}${GATEWAY_PATH}`, tunnel };
}

/** Opens a socket that accepts frames of up to `maxPayload` bytes. */
export function openSocket(
  Socket: GatewaySocketConstructor,
  { url, tunnel }: ReturnType<typeof resolveGatewayAddress>,
  maxPayload: number,
): GatewaySocket {
  const options = { perMessageDeflate: false, maxPayload, skipUTF8Validation: true } as const;
  if (!tunnel) return new Socket(url, options);
  let opening: ClientRequest | undefined;
  const socket = new Socket(url, {
    ...options,
    createConnection(...given) {
      opening = tunnel(...given);
      return undefined;
    },
  });
  // A socket that closes before its connection exists cannot end the request to the proxy, which may stay silent.
  socket.on('close', () => void opening?.destroy());
  return socket;
}
