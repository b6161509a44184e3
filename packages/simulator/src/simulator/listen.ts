import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorCode } from '@virgule/core/errors';
import { simulatorErrors } from './simulator-errors.js';

/**
 * Binds the server. Resolves with its port.
 *
 * @throws VirguleError `E_PORT_BUSY`, `E_SIM_LISTEN`.
 */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    // The server listens on a port, so its address has one.
    return (server.address() as AddressInfo).port;
  } catch (cause) {
    throw errorCode(cause) === 'EADDRINUSE'
      ? simulatorErrors.E_PORT_BUSY({ port }, { cause })
      : simulatorErrors.E_SIM_LISTEN({ host, port }, { cause });
  }
}
