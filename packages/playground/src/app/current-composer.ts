import { computed, type ReadonlySignal } from '@preact/signals';
import { createComposer, type Composer, type ComposerOptions } from './composer.js';

type Parts = Pick<ComposerOptions, 'store' | 'actions' | 'drafts' | 'settings'>;

/**
 * Returns the composer of the open channel and the acting user. A new snapshot of the same world keeps it
 * with its text.
 */
export function currentComposer(parts: Parts): ReadonlySignal<Composer | null> {
  let last: { readonly key: string; readonly composer: Composer } | null = null;
  return computed(() => {
    const { server, channel, user } = parts.store.place.value;
    if (server === null || channel === null || user === null) return null;
    const key = [server.id, server.botInstalled, channel.id, user.id, user.token].join(' ');
    if (last?.key !== key) {
      last = { key, composer: createComposer({ ...parts, server, channel, user }) };
    }
    return last.composer;
  });
}
