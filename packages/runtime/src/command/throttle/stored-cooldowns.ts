import { createHash } from 'node:crypto';
import type { Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { createStorage, type StorageConnection } from '../../storage/storage.js';
import { createMemoryCooldowns, type CooldownStore } from './cooldown-store.js';

/** A window as it is stored. `endsAt`: milliseconds since the epoch. */
type Window = { readonly endsAt: number; readonly count: number };

/**
 * Creates cooldowns in a storage: they survive a restart, and hold for all processes that share it. This process counts
 * for itself as well: while the storage fails that is all there is, and what began before or meanwhile still counts.
 */
export function createStoredCooldowns(
  connection: StorageConnection,
  clock: Clock,
  log: Log,
): CooldownStore {
  const own = createMemoryCooldowns(clock);
  const storage = createStorage(connection, 'cooldowns:');
  let isAway = false;

  async function update(
    key: string,
    everyMs: number,
    change: (window: Window | undefined) => Window | undefined,
  ): Promise<void> {
    try {
      await storage.update(`${everyMs}:${nameOf(key)}`, change, { ttl: `${everyMs}ms` });
      isAway = false;
    } catch (error) {
      if (!isAway)
        log.warn(
          { error: errorText(error) },
          'cooldowns are not stored: this process counts for itself',
        );
      isAway = true;
    }
  }

  return {
    async start(key, everyMs, limit) {
      const ownLeftMs = await own.start(key, everyMs, limit);
      if (ownLeftMs > 0) return ownLeftMs;
      let leftMs = 0;
      await update(key, everyMs, (window) => {
        const now = clock.now();
        const isOpen = window !== undefined && window.endsAt > now;
        // A clock that was ahead when it began may have set a later end.
        const endsAt = Math.min(isOpen ? window.endsAt : Infinity, now + everyMs);
        leftMs = isOpen && window.count >= limit ? endsAt - now : 0;
        if (leftMs > 0) return window;
        return { endsAt, count: isOpen ? window.count + 1 : 1 };
      });
      if (leftMs > 0) void own.cancel(key, everyMs);
      return leftMs;
    },
    async cancel(key, everyMs) {
      void own.cancel(key, everyMs);
      await update(key, everyMs, (window) =>
        window && window.count > 1 ? { ...window, count: window.count - 1 } : undefined,
      );
    },
  };
}

/** Returns the end of the key of an entry. That of a cooldown may be any string. */
const nameOf = (key: string): string =>
  /^[\w :.,/-]{1,300}$/.test(key) ? key : createHash('sha256').update(key).digest('hex');
