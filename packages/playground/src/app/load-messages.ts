import type { SimMessagePage } from '@virgule/core/simulator-api';
import type { PageEdge, SimApi } from '../net/sim-api.js';
import {
  EMPTY_LOG,
  beginLoading,
  failLoading,
  receiveNewer,
  receiveNewest,
  receiveOlder,
  type ChannelLog,
} from '../state/channel-log.js';
import type { Store } from './store.js';

export interface MessageLoader {
  /** Loads the newest page of a channel; the current messages remain until the page has arrived. */
  loadNewest(channelId: string): Promise<void>;
  /** Loads the page before the oldest message, unless a page is being loaded. */
  loadOlder(channelId: string): Promise<void>;
  /** Loads the page after the newest message of a window that does not reach the end, unless a page is being loaded. */
  loadNewer(channelId: string): Promise<void>;
  /** Loads the newest page of a window that does not reach the end. */
  loadEnd(channelId: string): Promise<void>;
  /** Discards the messages of every channel but one. */
  discardOthers(channelId: string | null): void;
}

/** Returns the message next to the wanted page. */
function edgeOf(log: ChannelLog | undefined, which: 'newest' | 'older' | 'newer'): PageEdge | null {
  const first = log?.messages[0];
  const last = log?.messages.at(-1);
  if (which === 'older' && first !== undefined) return { before: first.id };
  if (which === 'newer' && last !== undefined) return { after: last.id };
  return null;
}

export function createMessageLoader(store: Store, api: SimApi): MessageLoader {
  /** The latest request for each channel; responses to earlier ones, which may be slower, are ignored. */
  const latest = new Map<string, object>();

  const update = (channelId: string, change: (log: ChannelLog) => ChannelLog) => {
    const logs = store.logs.peek();
    store.logs.value = new Map(logs).set(channelId, change(logs.get(channelId) ?? EMPTY_LOG));
  };

  const load = async (
    channelId: string,
    which: 'newest' | 'older' | 'newer',
    receive: (log: ChannelLog, page: SimMessagePage) => ChannelLog,
  ) => {
    const request = {};
    latest.set(channelId, request);
    const edge = edgeOf(store.logs.peek().get(channelId), which);
    update(channelId, (log) => beginLoading(log, which));
    try {
      const page = await api.readMessages(channelId, edge, store.past.peek()?.moment);
      if (latest.get(channelId) === request) update(channelId, (log) => receive(log, page));
    } catch (error) {
      if (latest.get(channelId) !== request) return;
      const message = error instanceof Error ? error.message : 'The messages could not be loaded.';
      update(channelId, (log) => failLoading(log, message));
    }
  };

  return {
    loadNewest: (channelId) => load(channelId, 'newest', receiveNewest),
    async loadOlder(channelId) {
      const log = store.logs.peek().get(channelId);
      if (log === undefined || log.loading !== null || !log.hasOlder) return;
      const first = log.messages[0]?.id;
      await load(channelId, 'older', (now, page) =>
        // In a flood the window loses its first messages: the page would not be next to the others.
        now.messages[0]?.id === first ? receiveOlder(now, page) : { ...now, loading: null },
      );
    },
    async loadNewer(channelId) {
      const log = store.logs.peek().get(channelId);
      if (log === undefined || log.loading !== null || !log.hasNewer) return;
      await load(channelId, 'newer', receiveNewer);
    },
    async loadEnd(channelId) {
      if (store.logs.peek().get(channelId)?.hasNewer)
        await load(channelId, 'newest', receiveNewest);
    },
    discardOthers(channelId) {
      const kept = store.logs.peek().get(channelId ?? '');
      for (const id of latest.keys()) if (id !== channelId) latest.delete(id);
      store.logs.value =
        channelId === null || kept === undefined ? new Map() : new Map([[channelId, kept]]);
    },
  };
}
