import type { SimMessagePage } from '@virgule/core/simulator-api';
import type { SimApi } from '../net/sim-api.js';
import {
  EMPTY_LOG,
  beginLoading,
  cutOldest,
  receiveNewest,
  receiveOlder,
  type ChannelLog,
} from '../state/channel-log.js';
import { asRequestError } from './actions.js';
import type { Store } from './store.js';

/** Number of messages of a page. */
const PAGE_LIMIT = 50;

export function createMessageLoader(store: Store, api: SimApi) {
  /** The latest request for each channel; responses to earlier requests, which may be slower, are ignored. */
  const latest = new Map<string, object>();

  const logOf = (channelId: string) => store.logs.peek().get(channelId);
  const update = (channelId: string, change: (log: ChannelLog) => ChannelLog) =>
    store.setLog(channelId, change(logOf(channelId) ?? EMPTY_LOG));

  const load = async (
    channelId: string,
    which: 'newest' | 'older',
    receive: (log: ChannelLog, page: SimMessagePage) => ChannelLog,
  ) => {
    const request = {};
    latest.set(channelId, request);
    const before = which === 'older' ? logOf(channelId)?.messages[0]?.id : undefined;
    update(channelId, (log) => beginLoading(log, which));
    try {
      const moment = store.past.peek()?.moment;
      const where = { channel: channelId, limit: PAGE_LIMIT, before, moment };
      const page = await api.read('messages', where);
      if (latest.get(channelId) === request) update(channelId, (log) => receive(log, page));
    } catch (error) {
      if (latest.get(channelId) !== request) return;
      update(channelId, (log) => ({ ...log, loading: null, error: asRequestError(error).message }));
    }
  };

  return {
    /** Loads the newest page of a channel; the current messages remain until the page has arrived. */
    loadNewest: (channelId: string) => load(channelId, 'newest', receiveNewest),
    /** Loads the page before the oldest message, unless a page is being loaded. */
    async loadOlder(channelId: string) {
      const log = logOf(channelId);
      if (log?.loading !== null || !log.hasOlder) return;
      const first = log.messages[0]?.id;
      await load(channelId, 'older', (now, page) =>
        // The window loses its first messages in a flood: the page would then leave a gap.
        now.messages[0]?.id === first ? receiveOlder(now, page) : { ...now, loading: null },
      );
    },
    /** Removes the older messages that the user has loaded. */
    cut(channelId: string) {
      const log = logOf(channelId);
      const shorter = log && cutOldest(log);
      if (shorter && shorter !== log) store.setLog(channelId, shorter);
    },
    /** Discards the messages of every channel but one. */
    discardOthers(channelId: string | null) {
      const kept = store.logs.peek().get(channelId ?? '');
      for (const id of latest.keys()) if (id !== channelId) latest.delete(id);
      store.logs.value =
        channelId === null || kept === undefined ? new Map() : new Map([[channelId, kept]]);
    },
  };
}
