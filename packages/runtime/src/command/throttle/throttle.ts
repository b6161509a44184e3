import type { Log } from '@virgule/core/log';
import { isFirst } from '../is-first.js';
import type { CommandContext } from '../context/command-context.js';
import type { ThrottleStores } from '../environment.js';
import type { ConcurrencySlot } from './concurrency-store.js';
import type { Throttle, ThrottleScope } from './throttle-settings.js';

/** Whether a command may run now. */
export type Admission =
  | { readonly kind: 'run'; readonly slots: readonly ConcurrencySlot[] }
  | { readonly kind: 'cooldown'; readonly leftMs: number }
  /** Too many are running; `silently` means that users are not informed. */
  | { readonly kind: 'busy'; readonly silently: boolean };

/**
 * Checks everything that throttles a command, cooldowns first: a run that is refused for one need not
 * wait for a slot. A run that is refused, or stops waiting, uses up nothing.
 */
export async function admit(
  throttles: readonly Throttle[],
  context: CommandContext,
  stores: ThrottleStores,
  log: Log,
): Promise<Admission> {
  const undo: (() => unknown)[] = [];
  const slots: ConcurrencySlot[] = [];
  const refuse = async (admission: Admission): Promise<Admission> => {
    await Promise.all(undo.map((take) => take()));
    return admission;
  };
  try {
    for (const { name, cooldown } of throttles) {
      if (!cooldown) continue;
      const { everyMs, limit, per } = cooldown;
      const key = throttleKey(name, per, context, log);
      const leftMs = await stores.cooldowns.start(key, everyMs, limit);
      if (leftMs > 0) return await refuse({ kind: 'cooldown', leftMs });
      undo.push(() => stores.cooldowns.cancel(key, everyMs));
    }
    for (const { name, concurrency } of throttles) {
      if (!concurrency) continue;
      const { max, per, when } = concurrency;
      const slot = await stores.concurrency.acquire(throttleKey(name, per, context, log), {
        max,
        wait: when === 'queue',
        // Read only if it has to wait: a signal costs more than everything else here.
        get signal() {
          return context.signal;
        },
      });
      if (!slot) return await refuse({ kind: 'busy', silently: when === 'drop' });
      slots.push(slot);
      undo.push(() => slot.release());
    }
    return { kind: 'run', slots };
  } catch (error) {
    await refuse({ kind: 'busy', silently: true });
    throw error;
  }
}

/** The last two are what `String()` makes of a user that the platform does not report. */
const NO_KEYS: ReadonlySet<string> = new Set(['', 'undefined', 'null']);

/** Returns what the runs of one command or folder are counted by. */
export function throttleKey(
  name: string,
  per: ThrottleScope,
  context: CommandContext,
  log: Log,
): string {
  switch (per) {
    case 'global':
      return name;
    case 'server':
      return `${name} server ${context.serverId}`;
    case 'channel':
      return `${name} channel ${context.channelId}`;
    default: {
      // JavaScript may return anything, such as a promise: all users would have the same key.
      const key: unknown = per(context);
      const isKey = typeof key === 'number' || (typeof key === 'string' && !NO_KEYS.has(key));
      if (isKey) return `${name} key ${key}`;
      if (isFirst(log, `the key of ${name}`))
        log.warn(
          { throttle: name },
          `the key function of ${name} returned no key, so it counts the whole channel; the platform does not report who ran a command`,
        );
      return `${name} channel ${context.channelId}`;
    }
  }
}
