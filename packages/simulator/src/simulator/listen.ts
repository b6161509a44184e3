import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorCode } from '@virgule/core/errors';
import { simulatorErrors } from './simulator-errors.js';

/**
 * Binds the server. Resolves with its port.
 *
 * @throws VirguleError `E_PORT_BUSY`, `E_SIM_LISTEN`.
 */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (cause: unknown): void => {
      const isBusy = errorCode(cause) === 'EADDRINUSE';
      reject(
        isBusy
          ? simulatorErrors.E_PORT_BUSY({ port }, { cause })
          : simulatorErrors.E_SIM_LISTEN({ host, port }, { cause }),
      );
    };
    server.once('error', onError);
    try {
      server.listen({ host, port }, () => {
        server.off('error', onError);
        // The server listens on a port, so its address has one.
        resolve((server.address() as AddressInfo).port);
      });
    } catch (cause) {
      // node:http throws synchronously on an invalid port.
      onError(cause);
    }
  });
}
