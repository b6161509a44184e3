import type { ClientRequest } from 'node:http';
import { GATEWAY_PATH } from '@virgule/core/protocol';
import { resolveAddress } from '../address/address.js';
import {
  resolveProxy,
  tunnelTo,
  type CreateConnection,
  type ProxyOptions,
} from '../request/proxy.js';

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

/** Options that a WebSocket is created with. */
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

/**
 * Returns where the sockets of a gateway lead, and what opens their connections if there is a proxy.
 *
 * @throws VirguleError `E_BAD_ADDRESS` when `gatewayUrl` is not a ws(s) address.
 */
export function resolveGatewayAddress(gatewayUrl: string, proxy: ProxyOptions['proxy']) {
  const schemes = ['ws:', 'wss:'];
  const { origin, prefix } = resolveAddress('gatewayUrl', gatewayUrl, schemes, GATEWAY_PATH);
  const tunnel = tunnelTo(origin, resolveProxy(proxy));
  return { origin, url: `${origin}${prefix}${GATEWAY_PATH}`, tunnel };
}

/** Opens a socket that takes frames of up to `maxPayload` bytes. */
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
  // A socket that ends without a connection cannot end the request for one: it would be held for as long as the proxy is silent.
  socket.on('close', () => void opening?.destroy());
  return socket;
}
