import { resolveGatewayOptions, type GatewayOptions } from './gateway-options.js';
import type { Gateway } from './gateway.js';
import { SocketGateway } from './socket-gateway.js';

/**
 * Makes a gateway. `connect()` opens it and keeps it open: a lost connection is replaced within 1 s.
 * The pause doubles with each failure, up to 5 minutes, or 30 s as long as READY is reached.
 *
 * @throws VirguleError `E_BAD_ADDRESS` when `gatewayUrl` is not a ws(s) address, `E_INVALID_CALL` when
 * `identifyBudget` is not made of whole numbers.
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
