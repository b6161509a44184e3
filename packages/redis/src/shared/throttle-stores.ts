import { systemRandom, type Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { ConcurrencySlot, ConcurrencyStore, CooldownStore } from '@virgule/runtime';
import { createMemoryConcurrency, createMemoryCooldowns } from '@virgule/runtime/process';
import { WORKER_LEASE_MS } from '../bus/bus.js';
import type { Keys } from '../bus/keys.js';
import { CANCEL, SLOT, START } from '../bus/scripts.js';
import type { Connection } from '../connection/connection.js';

/** Pause between two attempts to get a slot, in milliseconds. */
const POLL_MS = 50;
/** Pause between two attempts to free one, in milliseconds. */
const RETRY_MS = 500;

export interface ThrottleStoreOptions {
  readonly connection: Connection;
  readonly keys: Keys;
  /** Name of this worker. */
  readonly holder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates stores that all workers share. While Redis is away, each worker counts for itself. */
export function createThrottleStores({
  connection,
  keys,
  holder,
  clock,
  log,
}: ThrottleStoreOptions) {
  const ownCooldowns = createMemoryCooldowns({ clock });
  const ownConcurrency = createMemoryConcurrency();
  const closing = new AbortController();
  let count = 0;
  let isAway = false;

  /** Returns the result of a command of Redis; `undefined` while it is away. */
  async function attempt<T>(command: Promise<T>): Promise<T | undefined> {
    try {
      const result = await command;
      isAway = false;
      return result;
    } catch (error) {
      if (!isAway) {
        const message = 'cooldowns and limits are not shared: each process counts for itself';
        log.warn({ error: errorText(error) }, message);
      }
      isAway = true;
      return undefined;
    }
  }

  const cooldowns: CooldownStore = {
    async start(key, everyMs, limit) {
      const leftMs = await attempt(
        connection.run(START, [`${keys.prefix}cooldown:${everyMs}:${key}`], [everyMs, limit]),
      );
      return leftMs === undefined ? ownCooldowns.start(key, everyMs, limit) : Number(leftMs);
    },
    async cancel(key, everyMs) {
      // One that has expired must not begin below 0.
      await attempt(connection.run(CANCEL, [`${keys.prefix}cooldown:${everyMs}:${key}`], []));
    },
  };

  const concurrency: ConcurrencyStore = {
    async acquire(key, options) {
      const slots = `${keys.prefix}slots:${key}`;
      count += 1;
      const slot = `${holder} ${count}`;
      for (;;) {
        const isFree = await attempt(
          connection.run(SLOT, [slots, keys.workers], [slot, options.max, WORKER_LEASE_MS]),
        );
        if (isFree === undefined) {
          // Redis may have taken it before the connection broke.
          void free(slots, slot);
          return ownConcurrency.acquire(key, options);
        }
        if (isFree === 1) return slotOf(slots, slot);
        if (!options.wait) return null;
        // Together, those that wait would ask at the same moment.
        await clock.sleep(POLL_MS * (0.5 + systemRandom()), { signal: options.signal });
      }
    },
  };

  function slotOf(slots: string, slot: string): ConcurrencySlot {
    let isReleased = false;
    return {
      release() {
        if (isReleased) return;
        isReleased = true;
        void free(slots, slot);
      },
    };
  }

  /** Frees a slot, if need be when Redis is back: this worker lives on, and so would the slot. */
  async function free(slots: string, slot: string): Promise<void> {
    const { signal } = closing;
    while ((await attempt(connection.call('SREM', slots, slot))) === undefined && !signal.aborted)
      await clock.sleep(RETRY_MS, { signal }).catch(() => {});
  }

  return {
    stores: { cooldowns, concurrency },
    close() {
      closing.abort();
      ownCooldowns.close();
    },
  };
}
