import type { Readable } from 'node:stream';
import { soon, turn, type Clock, type Timer } from '@virgule/core/clock';
import { toError } from '@virgule/core/errors';
import type { HttpMethod } from '@virgule/core/protocol';
import type * as UndiciIndex from 'undici';
import { createConnectors } from './connector.js';
import type { Exchange } from './exchange.js';
import type { FindProxy } from './proxy.js';

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

/** Group of connections. Answers to interactions wait for no other call, and files do not delay messages. */
export type Lane = 'interaction' | 'general' | 'upload';

/** Lane, or downloads, which wait in no queue; `named-download` is for hosts that the operator named with their port. */
type PoolName = Lane | 'download' | 'named-download';

/** Maximum number of connections of each pool; of uploads and downloads, to each origin. The queue has the same limits. */
export const CONNECTIONS: Readonly<Record<PoolName, number>> = {
  interaction: 256,
  general: 32,
  upload: 4,
  download: 4,
  'named-download': 4,
};

/** Number of connections that are opened without a wait. */
const OPENED_AT_ONCE = 64;
/** Time that a request waits for a free connection before more are opened, in milliseconds. */
const GROWTH_MS = 10;
/** Time that an unused connection stays open, in milliseconds. */
const KEEP_ALIVE_MS = 4_000;
/** Maximum of the same time for connections to the platform, if the server states it. */
const MAX_KEEP_ALIVE_MS = 600_000;

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

/** Sender of requests over connections of undici. */
interface Sender {
  dispatch(request: HttpRequest, exchange: Exchange): unknown;
  destroy(): Promise<void>;
}

/** Request that waits for a connection since this time, a reading of `Clock.monotonic()`. */
interface WaitingRequest {
  readonly request: HttpRequest;
  readonly exchange: Exchange;
  readonly sinceMs: number;
}

const CLOSED = new Error('The client is closed.');

/**
 * Connections to the platform, each with one request at a time. The last used one is used next. More than 64 are opened only
 * for requests that have waited 10 ms: with twice as many sockets in use, a command takes 12 % more CPU time. A pool of undici
 * opens all at once, and searches them for each request.
 */
class Connections implements Sender {
  readonly #create: () => UndiciIndex.Client;
  readonly #clock: Clock;
  readonly #all: UndiciIndex.Client[] = [];
  readonly #idle: UndiciIndex.Client[] = [];
  readonly #waiting: WaitingRequest[] = [];
  #max: number;
  #growth: Timer | undefined;

  constructor(create: () => UndiciIndex.Client, max: number, clock: Clock) {
    this.#create = create;
    this.#max = max;
    this.#clock = clock;
  }

  dispatch(request: HttpRequest, exchange: Exchange): void {
    const mayOpen = this.#all.length < Math.min(OPENED_AT_ONCE, this.#max);
    const client = this.#idle.pop() ?? (mayOpen ? this.#add() : undefined);
    if (client) return this.#send(client, { request, exchange });
    this.#waiting.push({ request, exchange, sinceMs: this.#clock.monotonic() });
    this.#growth ??= this.#growLater();
  }

  async destroy(): Promise<void> {
    this.#max = 0;
    this.#growth?.cancel();
    await Promise.all(this.#all.map((client) => client.destroy()));
  }

  /** Opens connections for the requests that have waited for 10 ms. Repeats while requests wait. */
  #growLater(): Timer | undefined {
    const [first] = this.#waiting;
    if (!first || this.#all.length >= this.#max) return undefined;
    const nowMs = this.#clock.monotonic();
    const grow = (): void => {
      const untilMs = this.#clock.monotonic() - GROWTH_MS;
      while (this.#all.length < this.#max && (this.#waiting[0]?.sinceMs ?? Infinity) <= untilMs) {
        const next = this.#next();
        if (next) this.#send(this.#add(), next);
      }
      this.#growth = this.#growLater();
    };
    // After a blocked event loop, timers run before the responses that have arrived.
    return this.#clock.setTimeout(() => void turn().then(grow), first.sinceMs + GROWTH_MS - nowMs);
  }

  /** Returns the next request that waits. undici would close a connection for a request that was given up. */
  #next(): WaitingRequest | undefined {
    let next = this.#waiting.shift();
    while (next?.exchange.isSettled) next = this.#waiting.shift();
    return next;
  }

  #add(): UndiciIndex.Client {
    const client = this.#create();
    this.#all.push(client);
    // Used after those with a connection, because the platform may refuse a new one.
    const usedLast = (): void => {
      const at = this.#idle.indexOf(client);
      if (at >= 0) this.#idle.unshift(...this.#idle.splice(at, 1));
    };
    client.on('disconnect', usedLast).on('connectionError', usedLast);
    return client;
  }

  #send(client: UndiciIndex.Client, { request, exchange }: Omit<WaitingRequest, 'sinceMs'>): void {
    exchange.onReleased = () => {
      const next = this.#next();
      if (!next) this.#idle.push(client);
      // A client must not get a request while it reports that a connection has failed.
      else soon(() => this.#send(client, next));
    };
    client.dispatch(request, exchange);
  }
}

export function createPools(options: PoolsOptions) {
  const { origin: home, dispatcher, clock } = options;
  const pools: Partial<Record<PoolName, Sender>> = {};
  const connectors = createConnectors(options);
  let isOver = false;

  /** Loads undici at the first request instead of the import of this module. */
  async function load(lane: PoolName): Promise<Sender> {
    const undici = await loadUndici();
    if (isOver) throw CLOSED;
    const scope = lane === 'download' ? 'public' : lane === 'named-download' ? 'named' : undefined;
    const isFile = lane !== 'interaction' && lane !== 'general';
    const settings = {
      // The client's own clock ends a request that takes too long.
      headersTimeout: 0,
      bodyTimeout: 0,
      // Pipelined requests would have an unknown outcome after an error of the connection.
      pipelining: 1,
      allowH2: false,
      connect: connectors.create(undici.buildConnector, scope),
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: isFile ? KEEP_ALIVE_MS : MAX_KEEP_ALIVE_MS,
      // Margin in milliseconds before the server would close the connection during a request.
      keepAliveTimeoutThreshold: 2_000,
    };
    const connections = CONNECTIONS[lane];
    // Files can have any origin: an agent keeps a pool for each origin in use.
    return isFile
      ? new undici.Agent({ ...settings, connections })
      : new Connections(() => new undici.Client(home, settings), connections, clock);
  }

  function open(lane: PoolName): Sender {
    let sender: Sender | undefined;
    const loading = load(lane).then((loaded) => (sender = loaded));
    return {
      dispatch(request, exchange) {
        if (sender) {
          sender.dispatch(request, exchange);
          return;
        }
        loading.then(
          (loaded) => loaded.dispatch(request, exchange),
          (error: unknown) => exchange.onError(error as Error),
        );
      },
      destroy: async () => sender?.destroy(),
    };
  }

  return {
    /** Sends a request. The exchange receives the answer. */
    dispatch(request: HttpRequest, lane: PoolName, exchange: Exchange): void {
      if (!dispatcher || request.origin !== home) {
        (pools[lane] ??= open(lane)).dispatch(request, exchange);
        return;
      }
      try {
        dispatcher.dispatch(request, handlerOf(exchange));
      } catch (error) {
        exchange.onError(toError(error));
      }
    },
    /** Closes all connections at once. Requests in flight fail. */
    async destroy(): Promise<void> {
      isOver = true;
      connectors.destroy(CLOSED);
      await Promise.all(Object.values(pools).map((pool) => pool.destroy()));
    },
  };
}

/** Returns an exchange as the handler of another dispatcher. */
const handlerOf = (exchange: Exchange): HttpHandler => ({
  onRequestStart: (controller) => exchange.onConnect((reason) => controller.abort(reason)),
  onResponseStart: (_controller, status, headers) => void exchange.onHeaders(status, headers),
  onResponseData: (_controller, chunk) => void exchange.onData(chunk),
  onResponseEnd: () => exchange.onComplete(),
  onResponseError: (_controller, error) => exchange.onError(error),
});

/** The used part of undici. */
type Undici = Pick<typeof UndiciIndex, 'Agent' | 'Client' | 'buildConnector'>;

/** Imports a module that a bundler is not to find. */
const importHidden = (name: string): Promise<Undici> => import(name);

/**
 * Loads only the used modules of undici, with a third of the time and half of the memory of its index. These paths are not
 * public, so the index is the fallback, except in a built bot.
 */
async function loadUndici(): Promise<Undici> {
  try {
    const [{ default: Agent }, { default: Client }, { default: buildConnector }] =
      await Promise.all([
        // @ts-expect-error -- undici has types for its index only.
        import('undici/lib/dispatcher/agent.js'),
        // @ts-expect-error -- the same.
        import('undici/lib/dispatcher/client.js'),
        // @ts-expect-error -- the same.
        import('undici/lib/core/connect.js'),
      ]);
    return { Agent, Client, buildConnector };
  } catch {
    return importHidden('undici');
  }
}
