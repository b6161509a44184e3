import type { Log } from '@virgule/core/log';
import type { CommandContext } from '../context/command-context.js';
import type { Command } from '../load/project.js';
import type { ConcurrencyPlace, ConcurrencyStore } from './concurrency-store.js';
import type { CooldownStore } from './cooldown-store.js';
import { limitKey } from './limit-key.js';

export interface LimitStores {
  readonly cooldowns: CooldownStore;
  readonly concurrency: ConcurrencyStore;
}

/** Whether a command may run now. */
export type Admission =
  | { readonly kind: 'run'; readonly place: ConcurrencyPlace | null }
  | { readonly kind: 'cooldown'; readonly leftMs: number }
  /** Too many run; `silently` says that nobody is told. */
  | { readonly kind: 'busy'; readonly silently: boolean };

/**
 * Asks the limits of a command, its cooldown first: what is refused for that need not wait for a place.
 * A run that finds no place has not used up its cooldown.
 */
export async function admit(
  { name, cooldown, concurrency }: Command,
  context: CommandContext,
  stores: LimitStores,
  log: Log,
): Promise<Admission> {
  let key: string | undefined;
  if (cooldown) {
    key = limitKey(name, cooldown.per, context, log);
    const leftMs = await stores.cooldowns.start(key, cooldown.everyMs);
    if (leftMs > 0) return { kind: 'cooldown', leftMs };
  }
  if (!concurrency) return { kind: 'run', place: null };
  const { max, per, when } = concurrency;
  const place = await stores.concurrency.enter(limitKey(name, per, context, log), {
    max,
    wait: when === 'queue',
    // Asked for only when it has to wait: a signal costs more than all the rest here.
    get signal() {
      return context.signal;
    },
  });
  if (place) return { kind: 'run', place };
  if (key !== undefined) await stores.cooldowns.cancel(key);
  return { kind: 'busy', silently: when === 'drop' };
}
