import { createHash } from 'node:crypto';
import type { Clock } from '@virgule/core/clock';
import { createOutage, type Log } from '@virgule/core/log';
import type { StorageDriver } from '../../storage/storage-driver.js';
import { createStorage } from '../../storage/storage.js';
import type { StorageConnection } from '../../storage/storage-connection.js';
import {
  changeWindow,
  createMemoryCooldowns,
  type CooldownStore,
  type Window,
} from './cooldown-store.js';

const PREFIX = 'cooldowns:';

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
  const outage = createOutage(log);

  const swapCount: NonNullable<StorageDriver['count']> = async (name, change, limit) => {
    let leftMs = 0;
    const update = (before: Window | undefined): Window | undefined => {
      const changed = changeWindow(before, change, limit, clock.now());
      ({ leftMs } = changed);
      return changed.window;
    };
    await storage.update(name, update, { ttl: `${limit.everyMs}ms` });
    return leftMs;
  };

  return {
    async count(key, change, limit) {
      const ownLeftMs = await own.count(key, change, limit);
      if (ownLeftMs > 0) return ownLeftMs;
      const name = `${limit.everyMs}:${nameOf(key)}`;
      try {
        const leftMs = await connection.run((driver) =>
          driver.count
            ? driver.count(`${PREFIX}${name}`, change, limit)
            : swapCount(name, change, limit),
        );
        outage.ended();
        if (leftMs > 0) void own.count(key, -1, limit);
        return leftMs;
      } catch (error) {
        outage.failed(error, 'cannot store cooldowns, counting them in this process only');
        return 0;
      }
    },
  };
}

/** Returns the key of a cooldown in a form that the storage allows: a hash replaces a long or unusual key. */
const nameOf = (key: string): string =>
  /^[\w :.,/-]{1,300}$/.test(key) ? key : createHash('sha256').update(key).digest('hex');
