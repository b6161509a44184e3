import type { Clock } from '@virgule/core/clock';
import type { Pool } from 'undici';
import { createClockedConnector, type ClockedConnector } from './clocked-connector.js';
import type { HttpDispatcher, HttpHandler, HttpRequest } from './http-dispatcher.js';

/** A dispatcher that this client opened and has to close. */
export interface HttpPool extends HttpDispatcher {
  /** Lets the requests that it holds end, then drops its connections. */
  close(): Promise<void>;
  /** Drops all connections at once. Requests that are still in them fail. */
  destroy(): Promise<void>;
}

/** A pool of connections to one origin. undici is loaded by the first request, not by the import. */
export function openUndiciPool(
  origin: string,
  connections: number,
  clock: Clock,
  proxy?: URL,
): HttpPool {
  let pool: Pool | undefined;
  let connector: ClockedConnector | undefined;
  let opening: Promise<Pool> | undefined;
  let destroyed = false;

  async function open(): Promise<Pool> {
    const { Pool, buildConnector } = await import('undici');
    if (destroyed) throw new Error('The client is closed.');
    connector = createClockedConnector(buildConnector, clock, proxy);
    pool = new Pool(origin, {
      connections,
      // A request must never sit behind another in one connection: its fate would be unknowable.
      pipelining: 1,
      allowH2: false,
      connect: connector.connect,
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 600_000,
      // A connection is given up this long before the server would close it under a request.
      keepAliveTimeoutThreshold: 2_000,
    });
    return pool;
  }

  function dispatch(request: HttpRequest, handler: HttpHandler): void {
    if (pool) {
      pool.dispatch(request, handler);
      return;
    }
    opening ??= open();
    opening.then(
      (opened) => opened.dispatch(request, handler),
      (error: unknown) => handler.onResponseError(undefined, error as Error),
    );
  }

  return {
    dispatch,
    async close() {
      await (pool ?? (await opening))?.close();
    },
    async destroy() {
      destroyed = true;
      connector?.abandon();
      await pool?.destroy();
    },
  };
}
