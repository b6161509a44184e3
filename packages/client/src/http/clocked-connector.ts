import type { Socket } from 'node:net';
import type { Clock } from '@virgule/core/clock';
import type { buildConnector } from 'undici';

/** How long opening a connection may take, TLS included, in milliseconds. */
const CONNECT_MS = 5_000;

export interface ClockedConnector {
  readonly connect: buildConnector.connector;
  /** Gives up every connection that is not open yet. undici itself would keep them connecting. */
  abandon(): void;
}

/** Opens connections for undici inside a time that the client's own clock measures. */
export function createClockedConnector(
  build: typeof buildConnector,
  clock: Clock,
): ClockedConnector {
  const opening = new Set<Socket>();
  const open = build({ autoSelectFamily: true, allowH2: false, timeout: 0 });
  return {
    connect(options, callback) {
      const timer = clock.setTimeout(() => {
        const error = new Error(`no connection in ${CONNECT_MS} ms`);
        socket?.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
      }, CONNECT_MS);
      const done: buildConnector.Callback = (...outcome) => {
        timer.cancel();
        if (socket) opening.delete(socket);
        callback(...outcome);
      };
      // undici's connector gives its socket back; its types leave that out.
      const socket = open(options, done) as unknown as Socket | undefined;
      if (!socket) return;
      opening.add(socket);
      // One that is taken back without an error tells nobody.
      socket.once('close', () => {
        timer.cancel();
        opening.delete(socket);
      });
    },
    abandon() {
      for (const socket of opening) socket.destroy(new Error('The client is closed.'));
    },
  };
}
