import { systemRandom, type Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import {
  createMemoryConcurrency,
  type ConcurrencySlot,
  type ConcurrencyStore,
} from '@virgule/runtime/process';
import type { Keys } from '../bus/keys.js';
import type { Connection } from '../connection/connection.js';

/** Pause between two attempts to get a slot, in milliseconds. */
const POLL_MS = 50;
/** Pause between two attempts to store or free a slot, in milliseconds. */
const RETRY_MS = 100;

/**
 * Takes a slot if fewer than the maximum are taken. Slots of removed workers are freed first. KEYS: slots, workers.
 * ARGV: worker and number, maximum. Returns 1 for a taken slot, else 0.
 */
const SLOT = `
local count = 0
for _, slot in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if redis.call('ZSCORE', KEYS[2], string.match(slot, '^(.*) ')) then
    count = count + 1
  else
    redis.call('SREM', KEYS[1], slot)
  end
end
if count >= tonumber(ARGV[2]) then return 0 end
redis.call('SADD', KEYS[1], ARGV[1])
return 1
`;

interface SharedSlotsOptions {
  readonly connection: Connection;
  readonly keys: Keys;
  readonly holder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Counts running commands of all workers. Each worker also keeps its own count, which alone applies while Redis is
 * away and includes commands begun before the outage.
 */
export function createSharedSlots({ connection, keys, holder, clock, log }: SharedSlotsOptions) {
  const ownConcurrency = createMemoryConcurrency();
  const closing = new AbortController();
  let count = 0;
  let isAway = false;

  /** Returns the result of a command; `undefined` while Redis is away. */
  async function attempt<T>(command: Promise<T>): Promise<T | undefined> {
    try {
      const result = await command;
      isAway = false;
      return result;
    } catch (error) {
      if (!isAway) {
        const message =
          'limits on concurrent commands are not shared: each process counts only its own';
        log.warn({ error: errorText(error) }, message);
      }
      isAway = true;
      return undefined;
    }
  }

  const concurrency: ConcurrencyStore = {
    async acquire(key, options) {
      const own = await ownConcurrency.acquire(key, options);
      if (!own) return null;
      const slots = `${keys.prefix}slots:${key}`;
      count += 1;
      const slot = `${holder} ${count}`;
      let isFree: unknown = 0;
      try {
        for (;;) {
          isFree = await attempt(connection.run(SLOT, [slots, keys.workers], [slot, options.max]));
          if (isFree !== 0) return share(own, slots, slot, isFree === 1);
          if (!options.wait) return null;
          // A random pause spreads the attempts of waiting commands.
          await clock.sleep(POLL_MS * (0.5 + systemRandom()), { signal: options.signal });
        }
      } finally {
        if (isFree === 0) own.release();
      }
    },
  };

  /** Returns a slot that is also stored in Redis while held, as soon as Redis is back. */
  function share(
    own: ConcurrencySlot,
    slots: string,
    slot: string,
    isShared: boolean,
  ): ConcurrencySlot {
    let isHeld = true;
    const store = async (): Promise<void> => {
      const { signal } = closing;
      while (!signal.aborted) {
        const command = isHeld ? 'SADD' : 'SREM';
        if ((await attempt(connection.call(command, slots, slot))) !== undefined) return;
        await clock.sleep(RETRY_MS, { signal }).catch(() => {});
      }
    };
    if (!isShared) void store();
    return {
      release() {
        if (!isHeld) return;
        isHeld = false;
        own.release();
        void store();
      },
    };
  }

  return { concurrency, close: () => closing.abort() };
}
