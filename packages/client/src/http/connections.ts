import type { Clock } from '@virgule/core/clock';
import type { HttpDispatcher } from './http-dispatcher.js';
import type { FindProxy } from '../request/proxy.js';
import { openUndiciPool, type HttpPool } from './undici-pool.js';

/**
 * Which connections a request uses. Answers to interactions have their own, so that no other call,
 * and no other interaction, is ahead of them; a file does not hold up messages either.
 */
export type Lane = 'interaction' | 'general' | 'upload';

/** How many connections each lane opens at most: as many as the scheduler lets through at once. */
const CONNECTIONS: Readonly<Record<Lane, number>> = { interaction: 256, general: 32, upload: 4 };

/** Upload addresses can be anywhere; this many pools are kept, and the one that was used least lately is closed. */
const MAX_UPLOAD_POOLS = 6;

export interface Connections {
  /** The dispatcher for requests to an origin. */
  to(origin: string, lane: Lane): HttpDispatcher;
  /** Drops all connections that were opened here. */
  destroy(): Promise<void>;
}

export interface ConnectionsOptions {
  /** Where `dispatcher` leads. */
  readonly origin: string;
  /** Serves every request to `origin`; the caller closes it. */
  readonly dispatcher?: HttpDispatcher | undefined;
  readonly findProxy: FindProxy;
  /** Measures how long opening a connection takes. */
  readonly clock: Clock;
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { origin: home, dispatcher, findProxy, clock } = options;
  const pools: Readonly<Record<Lane, Map<string, HttpPool>>> = {
    interaction: new Map(),
    general: new Map(),
    upload: new Map(),
  };

  function open(origin: string, lane: Lane): HttpPool {
    const known = pools[lane].get(origin);
    if (known && lane !== 'upload') return known;
    if (!known && lane === 'upload' && pools.upload.size >= MAX_UPLOAD_POOLS) retireUpload();
    const pool = known ?? openUndiciPool(origin, CONNECTIONS[lane], clock, findProxy(origin));
    // Moved to the end: what comes first was used least lately.
    pools[lane].delete(origin);
    pools[lane].set(origin, pool);
    return pool;
  }

  function retireUpload(): void {
    for (const [origin, pool] of pools.upload) {
      pools.upload.delete(origin);
      // Nobody waits for it: its uploads end by themselves, each inside its own deadline.
      pool.close().catch(() => {});
      return;
    }
  }

  return {
    to(origin, lane) {
      if (dispatcher && origin === home) return dispatcher;
      return open(origin, lane);
    },
    async destroy() {
      const all = Object.values(pools);
      await Promise.all(all.flatMap((lane) => [...lane.values()]).map((pool) => pool.destroy()));
      for (const lane of all) lane.clear();
    },
  };
}
