import { createHash } from 'node:crypto';
import type { Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import * as z from 'zod';
import type { StorageConnection } from '../../storage/storage.js';
import { createMemoryCooldowns, type CooldownStore } from './cooldown-store.js';

export interface StoredCooldownOptions {
  readonly connection: StorageConnection;
  readonly clock: Clock;
  readonly log: Log;
}

const windowSchema = z.object({
  /** Milliseconds since the epoch. */
  endsAt: z.number(),
  count: z.number(),
});

/**
 * Creates cooldowns in a storage: they survive a restart, and hold for all processes that share it. This process counts
 * for itself as well: while the storage fails that is all there is, and what began before or meanwhile still counts.
 */
export function createStoredCooldowns({
  connection,
  clock,
  log,
}: StoredCooldownOptions): CooldownStore {
  const own = createMemoryCooldowns({ clock });
  let isAway = false;

  /** Returns the result of `use`; `undefined` while the storage fails. */
  async function attempt<T>(use: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await use();
      isAway = false;
      return result;
    } catch (error) {
      if (!isAway)
        log.warn(
          { error: errorText(error) },
          'cooldowns are not stored: this process counts for itself',
        );
      isAway = true;
      return undefined;
    }
  }

  const read = async (path: string) => {
    const text = await connection.run((driver) => driver.get(path));
    const { data } = windowSchema.safeParse(text === undefined ? undefined : JSON.parse(text));
    return { text, window: data };
  };

  return {
    async start(key, everyMs, limit) {
      const ownLeftMs = await own.start(key, everyMs, limit);
      if (ownLeftMs > 0) return ownLeftMs;
      const path = pathOf(key, everyMs);
      const leftMs = await attempt(async () => {
        for (;;) {
          const { text, window } = await read(path);
          const now = clock.now();
          const isOpen = window !== undefined && window.endsAt > now;
          // A clock that was ahead when it began may have set a later end.
          const endsAt = Math.min(isOpen ? window.endsAt : Infinity, now + everyMs);
          if (isOpen && window.count >= limit) return endsAt - now;
          const next = { endsAt, count: isOpen ? window.count + 1 : 1 };
          const isWritten = await connection.run((driver) =>
            driver.swap(path, text, JSON.stringify(next), next.endsAt - now),
          );
          // Otherwise another run was counted meanwhile, so this ends.
          if (isWritten) return 0;
        }
      });
      if (leftMs !== undefined && leftMs > 0) void own.cancel(key, everyMs);
      return leftMs ?? 0;
    },
    async cancel(key, everyMs) {
      void own.cancel(key, everyMs);
      const path = pathOf(key, everyMs);
      await attempt(async () => {
        for (;;) {
          const { text, window } = await read(path);
          if (!window) return;
          const next =
            window.count > 1 ? JSON.stringify({ ...window, count: window.count - 1 }) : undefined;
          if (await connection.run((driver) => driver.swap(path, text, next, 'keep'))) return;
        }
      });
    },
    close: () => own.close(),
  };
}

/** Returns the key of an entry. That of a cooldown may be any string. */
function pathOf(key: string, everyMs: number): string {
  const isPlain = /^[\w :.,/-]{1,300}$/.test(key);
  const name = isPlain ? key : createHash('sha256').update(key).digest('hex');
  return `cooldowns:${everyMs}:${name}`;
}
