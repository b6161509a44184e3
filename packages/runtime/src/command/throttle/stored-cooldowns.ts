import { createHash } from 'node:crypto';
import type { Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { StorageDriver } from '../../storage/storage-driver.js';
import { createStorage } from '../../storage/storage.js';
import type { StorageConnection } from '../../storage/storage-connection.js';
import { createMemoryCooldowns, type CooldownStore } from './cooldown-store.js';

const PREFIX = 'cooldowns:';

type Window = { readonly endsAt: number; readonly count: number };

/**
 * Creates cooldowns in a storage. They survive a restart, and hold for all processes that share the storage. This process also
 * counts in memory, so cooldowns hold while the storage fails, and cooldowns of that time hold afterwards.
 */
export function createStoredCooldowns(
  connection: StorageConnection,
  clock: Clock,
  log: Log,
): CooldownStore {
  const own = createMemoryCooldowns(clock);
  const storage = createStorage(connection, PREFIX);
  let isAway = false;

  /** Counts a run, or removes a counted run. Returns the time until the run may start, in milliseconds; 0 if it was counted. */
  async function count(
    key: string,
    change: 1 | -1,
    options: { readonly limit: number; readonly everyMs: number },
  ): Promise<number> {
    const name = `${options.everyMs}:${nameOf(key)}`;
    try {
      const leftMs = await connection.run((driver) =>
        driver.count
          ? driver.count(`${PREFIX}${name}`, change, options)
          : swapCount(name, change, options),
      );
      isAway = false;
      return leftMs;
    } catch (error) {
      if (!isAway)
        log.warn(
          { error: errorText(error) },
          'cannot store cooldowns, counting them in this process only',
        );
      isAway = true;
      return 0;
    }
  }

  const swapCount: NonNullable<StorageDriver['count']> = async (name, change, options) => {
    const { limit, everyMs } = options;
    let leftMs = 0;
    const update = (window: Window | undefined): Window | undefined => {
      const now = clock.now();
      const isOpen = window !== undefined && window.endsAt > now;
      // A clock that was ahead when the window began may have set a later end.
      const endsAt = Math.min(isOpen ? window.endsAt : Infinity, now + everyMs);
      const next = (isOpen ? window.count : 0) + change;
      leftMs = change > 0 && next > limit ? endsAt - now : 0;
      if (leftMs > 0) return window;
      return next > 0 ? { endsAt, count: next } : undefined;
    };
    await storage.update(name, update, { ttl: `${everyMs}ms` });
    return leftMs;
  };

  return {
    async start(key, everyMs, limit) {
      const ownLeftMs = await own.start(key, everyMs, limit);
      if (ownLeftMs > 0) return ownLeftMs;
      const leftMs = await count(key, 1, { limit, everyMs });
      if (leftMs > 0) void own.cancel(key, everyMs);
      return leftMs;
    },
    async cancel(key, everyMs) {
      void own.cancel(key, everyMs);
      await count(key, -1, { limit: 0, everyMs });
    },
  };
}

/** Returns the key of a cooldown in a form that the storage allows: a hash replaces a long or unusual key. */
const nameOf = (key: string): string =>
  /^[\w :.,/-]{1,300}$/.test(key) ? key : createHash('sha256').update(key).digest('hex');
