import { resolveGatewayOptions, type GatewayOptions } from './gateway-options.js';
import type { Gateway } from './gateway.js';
import { SocketGateway } from './socket-gateway.js';

/**
 * Makes a gateway. `connect()` opens it and keeps it open: a lost connection is replaced, after a
 * pause between 0 and 1 s that doubles with each failure up to 5 minutes.
 *
 * @throws VirguleError `E_BAD_ADDRESS` when `gatewayUrl` is not a ws(s) address.
 *
 * @example
 * ```ts
 * const gateway = createGateway({ token, gatewayUrl: 'wss://chat.example.com' });
 * await gateway.connect({ dispatch: ({ t, d }) => console.log(t, d) });
 * ```
 */
export function createGateway(options: GatewayOptions): Gateway {
  return new SocketGateway(resolveGatewayOptions(options));
}
