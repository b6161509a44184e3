import type { ClientRequest } from 'node:http';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Clock } from '@virgule/core/clock';
import type { HttpMethod } from '@virgule/core/protocol';
import type { Agent, buildConnector, Pool } from 'undici';
import { checkAddress, createCheckedLookup } from '../download/public-address.js';
import { openTunnel, type FindProxy } from './proxy.js';

/** Headers of an answer, names in lower case. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One request, complete. */
export interface HttpRequest {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly method: HttpMethod;
  readonly headers: Record<string, string>;
  /** A stream for a file that is uploaded. */
  readonly body: string | Uint8Array | Readable | null;
}

/** Cancels a request in flight. */
export interface HttpController {
  abort(reason: Error): void;
}

/** What happens to a request, in this order. `onResponseError` can come at any point and is the last. */
export interface HttpHandler {
  /** The request is about to be written to a connection. Before this, nothing has left this machine. */
  onRequestStart(controller: HttpController): void;
  onResponseStart(controller: HttpController, statusCode: number, headers: HttpHeaders): void;
  onResponseData(controller: HttpController, chunk: Uint8Array): void;
  onResponseEnd(controller: HttpController): void;
  onResponseError(controller: HttpController | undefined, error: Error): void;
}

/** Sends requests. A `Pool`, `Client` or `Agent` of undici 7 fits. */
export interface HttpDispatcher {
  dispatch(request: HttpRequest, handler: HttpHandler): unknown;
}

/**
 * Which connections a request uses. Answers to interactions have their own, so that no other call,
 * and no other interaction, is ahead of them; a file does not hold up messages either.
 */
export type Lane = 'interaction' | 'general' | 'upload';

/** The connections of a lane, or those of downloads, which wait in no queue: from hosts that the operator named with their port, or others. */
type PoolName = Lane | 'download' | 'named-download';

/** How many connections each lane opens at most; of uploads and downloads, to each origin. The queue lets no more requests through. */
export const CONNECTIONS: Readonly<Record<PoolName, number>> = {
  interaction: 256,
  general: 32,
  upload: 4,
  download: 4,
  'named-download': 4,
};

/** How long an unused connection stays open, in milliseconds; one to the platform for longer, if the server says so. */
const KEEP_ALIVE_MS = 4_000;
const MAX_KEEP_ALIVE_MS = 600_000;

/** How long opening a connection may take, TLS included, in milliseconds. */
const CONNECT_MS = 5_000;

/** The connections of a client. */
export type Pools = ReturnType<typeof createPools>;

export interface PoolsOptions {
  /** Where `dispatcher` leads. */
  readonly origin: string;
  /** Serves every request to `origin`; the caller closes it. */
  readonly dispatcher?: HttpDispatcher | undefined;
  readonly findProxy: FindProxy;
  /** Measures how long opening a connection takes. */
  readonly clock: Clock;
}

/** Ends one attempt to open a connection. */
type EndOpening = (error: Error) => void;

interface HttpPool extends HttpDispatcher {
  destroy(): Promise<void>;
}

export function createPools({ origin: home, dispatcher, findProxy, clock }: PoolsOptions) {
  const pools: Partial<Record<PoolName, HttpPool>> = {};
  const opening = new Set<EndOpening>();
  let isOver = false;

  /** Opens connections for undici inside a time that the client's own clock measures, through a proxy if there is one. */
  function createConnector(build: typeof buildConnector, lane: PoolName): buildConnector.connector {
    const settings = { autoSelectFamily: true, allowH2: false, timeout: 0 };
    const openAny = build(settings);
    const scope = lane === 'named-download' ? 'named' : 'public';
    const openChecked = build({ ...settings, lookup: createCheckedLookup(scope) });
    return (options, callback) => {
      const origin = `${options.protocol}//${options.host}`;
      // Users choose what is downloaded: it must not be a service next to the bot.
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
        // The connector of undici returns its socket; its types leave that out.
        const socket = open({ ...options, ...(httpSocket && { httpSocket }) }, done) as unknown;
        if (!(socket instanceof Socket)) return;
        current = socket;
        // A socket that is destroyed without an error calls nothing back.
        socket.once('close', settle);
      };
      opening.add(end);
      try {
        // An address is not looked up.
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

  /** Loads undici with the first request, and not with the import of this module. */
  async function load(lane: PoolName): Promise<HttpPool> {
    const { Agent, Pool, buildConnector } = await loadUndici();
    if (isOver) throw new Error('The client is closed.');
    const isFile = lane !== 'interaction' && lane !== 'general';
    const options = {
      connections: CONNECTIONS[lane],
      // The client's own clock ends a request that takes too long.
      headersTimeout: 0,
      bodyTimeout: 0,
      // A request must never wait behind another in one connection: its outcome could not be known.
      pipelining: 1,
      allowH2: false,
      connect: createConnector(buildConnector, lane),
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: isFile ? KEEP_ALIVE_MS : MAX_KEEP_ALIVE_MS,
      // A connection is closed this long before the server would close it under a request.
      keepAliveTimeoutThreshold: 2_000,
    };
    // Addresses of files can be anywhere: an agent has a pool for each, as long as it is used.
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
    /** Drops all connections at once. Requests that are still in them fail. */
    async destroy(): Promise<void> {
      isOver = true;
      // undici itself would keep them connecting.
      for (const end of opening) end(new Error('The client is closed.'));
      await Promise.all(Object.values(pools).map((pool) => pool.destroy()));
    },
  };
}

/** A module of CommonJS. */
interface Module<T> {
  readonly default: T;
}

/**
 * Loads what the client needs of undici: a third of the time and half of the memory of its index, which loads fetch,
 * WebSocket, caches and mocks as well. These paths are not part of its interface, so the index replaces them where they
 * are missing.
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
