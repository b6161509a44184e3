import type { ClientRequest } from 'node:http';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Clock } from '@virgule/core/clock';
import type { HttpMethod } from '@virgule/core/protocol';
import type { Agent, buildConnector, Pool } from 'undici';
import { checkAddress, createCheckedLookup } from '../download/public-address.js';
import { openTunnel, type FindProxy } from './proxy.js';

/** Headers of an answer, with names in lower case. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Complete HTTP request. */
export interface HttpRequest {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly method: HttpMethod;
  readonly headers: Record<string, string>;
  /** Body; a stream for the upload of a file. */
  readonly body: string | Uint8Array | Readable | null;
}

/** Cancels a request in flight. */
export interface HttpController {
  abort(reason: Error): void;
}

/** Callbacks of a request, in this order. `onResponseError` can come at any point and is the last call. */
export interface HttpHandler {
  /** Called before the request is written to a connection. Before this call, nothing was sent. */
  onRequestStart(controller: HttpController): void;
  onResponseStart(controller: HttpController, statusCode: number, headers: HttpHeaders): void;
  onResponseData(controller: HttpController, chunk: Uint8Array): void;
  onResponseEnd(controller: HttpController): void;
  onResponseError(controller: HttpController | undefined, error: Error): void;
}

/** Sender of requests, such as a `Pool`, `Client` or `Agent` of undici 7. */
export interface HttpDispatcher {
  dispatch(request: HttpRequest, handler: HttpHandler): unknown;
}

/**
 * Group of connections that a request uses. Answers to interactions have separate connections, so that no other call is
 * ahead of them. Files have separate connections too, so that they do not delay messages.
 */
export type Lane = 'interaction' | 'general' | 'upload';

/**
 * Name of a pool: a lane, or a pool of downloads, which wait in no queue. `named-download` is for hosts that the operator
 * named with their port.
 */
type PoolName = Lane | 'download' | 'named-download';

/** Maximum number of connections of each pool; of uploads and downloads, to each origin. The queue has the same limits. */
export const CONNECTIONS: Readonly<Record<PoolName, number>> = {
  interaction: 256,
  general: 32,
  upload: 4,
  download: 4,
  'named-download': 4,
};

/** Time that an unused connection stays open, in milliseconds. */
const KEEP_ALIVE_MS = 4_000;
/** Maximum of the same time for connections to the platform, if the server states it. */
const MAX_KEEP_ALIVE_MS = 600_000;

/** Time limit to open a connection, TLS included, in milliseconds. */
const CONNECT_MS = 5_000;

/** Connections of a client. */
export type Pools = ReturnType<typeof createPools>;

export interface PoolsOptions {
  /** Origin of the platform. */
  readonly origin: string;
  /** Sender of all requests to `origin`; the caller closes it. */
  readonly dispatcher?: HttpDispatcher | undefined;
  readonly findProxy: FindProxy;
  /** Clock for the time limit of opening a connection. */
  readonly clock: Clock;
}

/** Function that ends an attempt to open a connection. */
type EndOpening = (error: Error) => void;

interface HttpPool extends HttpDispatcher {
  destroy(): Promise<void>;
}

export function createPools({ origin: home, dispatcher, findProxy, clock }: PoolsOptions) {
  const pools: Partial<Record<PoolName, HttpPool>> = {};
  const opening = new Set<EndOpening>();
  let isOver = false;

  /** Creates a connector for undici with the time limit of the client's clock, and a proxy if there is one. */
  function createConnector(build: typeof buildConnector, lane: PoolName): buildConnector.connector {
    const settings = { autoSelectFamily: true, allowH2: false, timeout: 0 };
    const openAny = build(settings);
    const scope = lane === 'named-download' ? 'named' : 'public';
    const openChecked = build({ ...settings, lookup: createCheckedLookup(scope) });
    return (options, callback) => {
      const origin = `${options.protocol}//${options.host}`;
      // Users choose the address of a download, which must not lead to a service in the network of the bot.
      const isDownload = lane === 'download' || lane === 'named-download';
      const isGuarded = isDownload && new URL(origin).origin !== home;
      const open = isGuarded ? openChecked : openAny;
      let current: ClientRequest | Socket | undefined;
      const end: EndOpening = (error) => void current?.destroy(error);
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
        if (isGuarded)
          checkAddress(options.hostname, options.hostname.replace(/^\[|\]$/g, ''), scope);
      } catch (error) {
        done(error as Error, null);
        return;
      }
      const proxy = findProxy(origin);
      if (!proxy) {
        start();
        return;
      }
      const isEncrypted = options.protocol === 'https:';
      const port = Number(options.port || (isEncrypted ? 443 : 80));
      current = openTunnel(proxy, options.hostname, port, (error, tunnel) => {
        if (tunnel && isEncrypted) start(tunnel);
        else if (tunnel) done(null, tunnel);
        else done(error ?? new Error('The proxy has no connection.'), null);
      });
    };
  }

  /** Loads undici at the first request instead of the import of this module. */
  async function load(lane: PoolName): Promise<HttpPool> {
    const { Agent, Pool, buildConnector } = await loadUndici();
    if (isOver) throw new Error('The client is closed.');
    const isFile = lane !== 'interaction' && lane !== 'general';
    const options = {
      connections: CONNECTIONS[lane],
      // The client's own clock ends a request that takes too long.
      headersTimeout: 0,
      bodyTimeout: 0,
      // Pipelined requests would have an unknown outcome after an error of the connection.
      pipelining: 1,
      allowH2: false,
      connect: createConnector(buildConnector, lane),
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: isFile ? KEEP_ALIVE_MS : MAX_KEEP_ALIVE_MS,
      // Margin in milliseconds before the server would close the connection during a request.
      keepAliveTimeoutThreshold: 2_000,
    };
    // Files can have any origin: an agent keeps a pool for each origin in use.
    return isFile ? new Agent(options) : new Pool(home, options);
  }

  function open(lane: PoolName): HttpPool {
    let pool: HttpPool | undefined;
    const loading = load(lane).then((loaded) => (pool = loaded));
    return {
      dispatch(request, handler) {
        if (pool) {
          pool.dispatch(request, handler);
          return;
        }
        loading.then(
          (loaded) => loaded.dispatch(request, handler),
          (error: unknown) => handler.onResponseError(undefined, error as Error),
        );
      },
      destroy: async () => pool?.destroy(),
    };
  }

  return {
    /** Returns the dispatcher for requests to an origin. */
    to(origin: string, lane: PoolName): HttpDispatcher {
      if (dispatcher && origin === home) return dispatcher;
      return (pools[lane] ??= open(lane));
    },
    /** Closes all connections at once. Requests in flight fail. */
    async destroy(): Promise<void> {
      isOver = true;
      // undici itself would not end these attempts.
      for (const end of opening) end(new Error('The client is closed.'));
      await Promise.all(Object.values(pools).map((pool) => pool.destroy()));
    },
  };
}

/** Imported CommonJS module. */
interface Module<T> {
  readonly default: T;
}

/**
 * Loads only the used modules of undici, in a third of the time and half of the memory of its index, which also loads
 * fetch, WebSocket, caches and mocks. These paths are not public, so the index is the fallback.
 */
async function loadUndici() {
  try {
    const [agent, pool, connect] = (await Promise.all([
      // @ts-expect-error -- undici has types for its index only.
      import('undici/lib/dispatcher/agent.js'),
      // @ts-expect-error -- the same.
      import('undici/lib/dispatcher/pool.js'),
      // @ts-expect-error -- the same.
      import('undici/lib/core/connect.js'),
    ])) as [Module<typeof Agent>, Module<typeof Pool>, Module<typeof buildConnector>];
    return { Agent: agent.default, Pool: pool.default, buildConnector: connect.default };
  } catch {
    return import('undici');
  }
}
