import { isVirguleError } from '@virgule/core/errors';

export const FIRST_PORT = 7_300;
const TRIES = 20;

/**
 * Starts a server on the requested port, or else on the first free default port. `notice` receives a line when the
 * port is not the first default port.
 *
 * @throws VirguleError `E_PORT_BUSY` when the requested port is in use, or all default ports are.
 */
export async function freePort<T>(
  asked: number | undefined,
  start: (port: number) => Promise<T>,
  notice: (text: string) => void,
): Promise<T> {
  if (asked !== undefined) return start(asked);
  for (let port = FIRST_PORT; ; port += 1) {
    try {
      const started = await start(port);
      if (port !== FIRST_PORT) notice(`Port ${FIRST_PORT} is in use; using port ${port}.`);
      return started;
    } catch (error) {
      if (!isVirguleError(error, 'E_PORT_BUSY') || port >= FIRST_PORT + TRIES - 1) throw error;
    }
  }
}
