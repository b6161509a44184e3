import type { SimMessage, SimMessagePage } from '@virgule/core/simulator-api';

/** Number of messages of a channel that are kept and rendered, unless the user loads older ones. */
export const MAX_LOG = 300;

/** The loaded messages of a channel: a window without gaps. */
export interface ChannelLog {
  readonly messages: readonly SimMessage[];
  readonly hasOlder: boolean;
  readonly loading: 'newest' | 'older' | null;
  /** Error of the last request. */
  readonly error: string | null;
  /** Messages that arrived during the load of the newest page: they are at least as recent as the page. */
  readonly touched: ReadonlyMap<string, SimMessage>;
}

export const EMPTY_LOG: ChannelLog = {
  messages: [],
  hasOlder: false,
  loading: null,
  error: null,
  touched: new Map(),
};

export function beginLoading(log: ChannelLog, which: 'newest' | 'older'): ChannelLog {
  return { ...log, loading: which, error: null, touched: new Map() };
}

function insert(messages: readonly SimMessage[], message: SimMessage): readonly SimMessage[] {
  const time = Date.parse(message.createdAt);
  const before = messages.findLastIndex((item) => Date.parse(item.createdAt) <= time);
  return messages.toSpliced(before + 1, 0, message);
}

/** Removes the oldest messages of a window that is too long. */
export function cutOldest(log: ChannelLog, max = MAX_LOG): ChannelLog {
  if (log.messages.length <= max) return log;
  return { ...log, messages: log.messages.slice(-max), hasOlder: true };
}

/** Adds a message, or replaces the known message with its edited or deleted form. */
export function upsertMessage(log: ChannelLog, message: SimMessage): ChannelLog {
  const touched =
    log.loading === 'newest' ? new Map(log.touched).set(message.id, message) : log.touched;
  const known = log.messages.findLastIndex((item) => item.id === message.id);
  if (known !== -1) return { ...log, touched, messages: log.messages.with(known, message) };
  const first = log.messages[0];
  const isBeforeWindow =
    log.hasOlder &&
    first !== undefined &&
    Date.parse(message.createdAt) < Date.parse(first.createdAt);
  if (isBeforeWindow) return { ...log, touched };
  // A window that the user has made longer keeps its length.
  const max = Math.max(MAX_LOG, log.messages.length);
  return cutOldest({ ...log, touched, messages: insert(log.messages, message) }, max);
}

/** Replaces the window with the newest page; messages that arrived during the load are kept. */
export function receiveNewest(log: ChannelLog, page: SimMessagePage): ChannelLog {
  const fresh = { ...EMPTY_LOG, messages: page.messages, hasOlder: page.hasMore };
  return [...log.touched.values()].reduce(upsertMessage, fresh);
}

/** Adds an older page. */
export function receiveOlder(log: ChannelLog, page: SimMessagePage): ChannelLog {
  const known = new Set(log.messages.map(({ id }) => id));
  const older = page.messages.filter(({ id }) => !known.has(id));
  const messages = [...older, ...log.messages];
  return { ...log, messages, hasOlder: page.hasMore, loading: null, error: null };
}
