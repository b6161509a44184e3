import { computed, type ReadonlySignal } from '@preact/signals';
import { createComposer, type Composer, type ComposerOptions } from './composer.js';

type Parts = Pick<
  ComposerOptions,
  'store' | 'actions' | 'api' | 'now' | 'chooseFiles' | 'drafts' | 'settings'
>;

/**
 * Returns the composer of the open channel and the acting user. The composer and its text remain after a new snapshot
 * of the same world. A composer with files also remains while another channel is open.
 */
export function currentComposer(parts: Parts): ReadonlySignal<Composer | null> {
  let last: { readonly key: string; readonly composer: Composer } | null = null;
  const withFiles = new Map<string, Composer>();
  return computed(() => {
    const { server, channel, user } = parts.store.place.value;
    if (server === null || channel === null || user === null) return null;
    const key = [server.id, channel.id, user.id, user.token].join(' ');
    if (last?.key !== key) {
      if (last !== null && last.composer.files.list.peek().length > 0) {
        withFiles.set(last.key, last.composer);
      }
      const composer = withFiles.get(key) ?? createComposer({ ...parts, server, channel, user });
      withFiles.delete(key);
      last = { key, composer };
    }
    return last.composer;
  });
}
