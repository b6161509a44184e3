import { systemRandom, type Clock } from '@virgule/core/clock';
import { createOutage, type Log } from '@virgule/core/log';
import { createMemoryConcurrency, type ConcurrencyStore } from '@virgule/runtime/process';
import type { Keys } from '../bus/keys.js';
import type { Connection } from '../connection/connection.js';
import { Outbox } from '../roles/outbox.js';

/** Pause between two attempts to get a slot, in milliseconds. */
const POLL_MS = 50;

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
  /** Slots that Redis does not have yet, or still has. */
  const changes = new Outbox<readonly ['SADD' | 'SREM', slots: string, slot: string]>({
    name: 'changes of concurrency limits',
    async send(batch) {
      await Promise.all(batch.map((change) => connection.call(...change)));
    },
    clock,
    log,
  });
  let count = 0;
  const outage = createOutage(log);

  /** Takes a slot. Resolves to whether a slot was free; `undefined` while Redis is away. */
  async function take(slots: string, slot: string, max: number): Promise<boolean | undefined> {
    try {
      const reply = await connection.run(SLOT, [slots, keys.workers], [slot, max]);
      outage.ended();
      return reply === 1;
    } catch (error) {
      const message =
        'limits on concurrent commands are not shared: each process counts only its own';
      outage.failed(error, message);
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
      let isFree: boolean | undefined = false;
      try {
        for (;;) {
          isFree = await take(slots, slot, options.max);
          if (isFree !== false) break;
          if (!options.wait) return null;
          // A random pause spreads the attempts of waiting commands.
          await clock.sleep(POLL_MS * (0.5 + systemRandom()), { signal: options.signal });
        }
      } finally {
        if (isFree === false) own.release();
      }
      if (isFree === undefined) changes.push(['SADD', slots, slot]);
      return {
        release() {
          own.release();
          changes.push(['SREM', slots, slot]);
        },
      };
    },
  };

  return { concurrency, close: (): void => void changes.close(0) };
}
