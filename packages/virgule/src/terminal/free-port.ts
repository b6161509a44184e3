import { isVirguleError } from '@virgule/core/errors';

/** Where the default ports begin. */
export const FIRST_PORT = 7_300;
/** How many default ports are tried. */
const TRIES = 20;

/**
 * Starts something on the port that was asked for, or else on the first default port that is free. `notice` gets a
 * line when that is not the usual one.
 *
 * @throws VirguleError `E_PORT_BUSY` when the port that was asked for is in use, or all default ones are.
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
      if (port !== FIRST_PORT)
        notice(`Port ${FIRST_PORT} is in use: this one listens on port ${port}.`);
      return started;
    } catch (error) {
      if (!isVirguleError(error, 'E_PORT_BUSY') || port >= FIRST_PORT + TRIES - 1) throw error;
    }
  }
}
