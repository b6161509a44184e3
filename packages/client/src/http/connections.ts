import type { Clock } from '@virgule/core/clock';
import type { HttpDispatcher } from './http-dispatcher.js';
import { openUndiciPool, type HttpPool } from './undici-pool.js';

/**
 * Which connections a request uses. Answers to interactions have their own, so that no other call,
 * and no other interaction, stands in front of them; a file does not hold up messages either.
 */
export type Lane = 'interaction' | 'general' | 'upload';

/** How many connections each lane opens at most: as many as the scheduler lets through at once. */
const CONNECTIONS: Readonly<Record<Lane, number>> = { interaction: 256, general: 32, upload: 4 };

/** Upload addresses can be anywhere; only so many pools are kept, and the oldest is let go. */
const MAX_POOLS = 8;

export interface Connections {
  /** The dispatcher for requests to an origin. */
  to(origin: string, lane: Lane): HttpDispatcher;
  /** Drops all connections that were opened here. */
  destroy(): Promise<void>;
}

export interface ConnectionsOptions {
  /** Where `dispatcher` leads. */
  readonly origin: string;
  /** Serves every request to `origin`; whoever gave it closes it. */
  readonly dispatcher?: HttpDispatcher | undefined;
  /** Measures how long opening a connection takes. */
  readonly clock: Clock;
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { origin: home, dispatcher, clock } = options;
  const pools = new Map<string, HttpPool>();

  function open(origin: string, lane: Lane): HttpPool {
    const key = `${lane} ${origin}`;
    const known = pools.get(key);
    if (known) return known;
    if (pools.size >= MAX_POOLS) retireOldestUpload();
    const pool = openUndiciPool(origin, CONNECTIONS[lane], clock);
    pools.set(key, pool);
    return pool;
  }

  function retireOldestUpload(): void {
    for (const [key, pool] of pools) {
      if (!key.startsWith('upload ')) continue;
      pools.delete(key);
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
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}
