import type { ClientRequest } from 'node:http';
import { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import {
  checkAddress,
  createCheckedLookup,
  type AddressScope,
} from '../download/public-address.js';
import type { PoolsOptions } from './pool.js';
import { openTunnel } from './proxy.js';

/** Time limit to open a connection, TLS included, in milliseconds. */
const CONNECT_MS = 5_000;

/** Creates the functions with which undici opens connections, through a proxy if there is one. */
export function createConnectors({ origin: home, findProxy, clock }: PoolsOptions) {
  /** Functions that end the attempts to open a connection. */
  const opening = new Set<(error: Error) => void>();

  return {
    /** Creates a connector. A scope limits the addresses of other hosts than the platform, which users choose. */
    create(build: typeof buildConnector, scope: AddressScope | undefined) {
      const settings = { autoSelectFamily: true, allowH2: false, timeout: 0 };
      const openAny = build(settings);
      const openChecked = scope && build({ ...settings, lookup: createCheckedLookup(scope) });
      const connect: buildConnector.connector = (options, callback) => {
        const { protocol, host, hostname } = options;
        const origin = `${protocol}//${host}`;
        const guarded = new URL(origin).origin === home ? undefined : scope;
        let current: ClientRequest | Socket | undefined;
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
          const open = (guarded && openChecked) ?? openAny;
          // The connector of undici returns its socket, although its types do not say so.
          const socket = open({ ...options, ...(httpSocket && { httpSocket }) }, done) as unknown;
          if (!(socket instanceof Socket)) return;
          current = socket;
          // A socket that is destroyed without an error does not call `done`.
          socket.once('close', settle);
        };
        opening.add(end);
        try {
          // The lookup does not run for an IP address, so the address is checked here.
          if (guarded) checkAddress(hostname, hostname.replace(/^\[|\]$/g, ''), guarded);
        } catch (error) {
          return done(error as Error, null);
        }
        const proxy = findProxy(origin);
        if (!proxy) return start();
        const isEncrypted = protocol === 'https:';
        const port = Number(options.port || (isEncrypted ? 443 : 80));
        current = openTunnel(proxy, hostname, port, (error, tunnel) => {
          if (tunnel && isEncrypted) start(tunnel);
          else if (tunnel) done(null, tunnel);
          else done(error ?? new Error('The proxy has no connection.'), null);
        });
      };
      return connect;
    },
    /** Ends all attempts to open a connection, which undici itself would not end. */
    destroy(error: Error): void {
      for (const end of opening) end(error);
    },
  };
}
