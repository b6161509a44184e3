import { Socket } from 'node:net';
import type { Clock } from '@virgule/core/clock';
import type { buildConnector } from 'undici';
import { openTunnel, type OpeningTunnel } from './proxy.js';

/** How long opening a connection may take, TLS included, in milliseconds. */
const CONNECT_MS = 5_000;

export interface Connector {
  readonly connect: buildConnector.connector;
  /** Gives up every connection that is not open yet. undici itself would keep them connecting. */
  abandon(): void;
}

/** Opens connections for undici inside a time that the client's own clock measures, through a proxy if there is one. */
export function createConnector(
  build: typeof buildConnector,
  clock: Clock,
  proxy: URL | undefined,
): Connector {
  /** Each ends one attempt with an error. */
  const opening = new Set<(error: Error) => void>();
  const open = build({ autoSelectFamily: true, allowH2: false, timeout: 0 });
  return {
    connect(options, callback) {
      let current: OpeningTunnel | undefined;
      const end = (error: Error): void => void current?.destroy(error);
      const timer = clock.setTimeout(() => {
        end(Object.assign(new Error(`no connection in ${CONNECT_MS} ms`), { code: 'ETIMEDOUT' }));
      }, CONNECT_MS);
      const settle = (): void => {
        timer.cancel();
        opening.delete(end);
      };
      const done: buildConnector.Callback = (...outcome) => {
        settle();
        callback(...outcome);
      };
      const start = (httpSocket?: Socket): void => {
        // The connector of undici returns its socket; its types leave that out.
        const socket = open({ ...options, ...(httpSocket && { httpSocket }) }, done) as unknown;
        if (!(socket instanceof Socket)) return;
        current = socket;
        // A socket that is destroyed without an error calls nothing back.
        socket.once('close', settle);
      };
      opening.add(end);
      if (!proxy) {
        start();
        return;
      }
      const isEncrypted = options.protocol === 'https:';
      const port = Number(options.port || (isEncrypted ? 443 : 80));
      current = openTunnel(proxy, { hostname: options.hostname, port }, (error, tunnel) => {
        if (tunnel && isEncrypted) start(tunnel);
        else if (tunnel) done(null, tunnel);
        else done(error ?? new Error('The proxy has no connection.'), null);
      });
    },
    abandon() {
      for (const end of opening) end(new Error('The client is closed.'));
    },
  };
}
