import type { SimMessage, SimMessagePage } from '@virgule/core/simulator-api';

/** Maximum number of messages of a channel that are kept and rendered. */
export const MAX_LOG = 300;

/** Number of messages that remain in a flood. */
const FLOOD_LOG = 100;

/** The loaded messages of a channel: a window without gaps. */
export interface ChannelLog {
  readonly messages: readonly SimMessage[];
  readonly hasOlder: boolean;
  /** `true` if newer messages were removed; new messages are then ignored until they are loaded. */
  readonly hasNewer: boolean;
  readonly loading: 'newest' | 'older' | 'newer' | null;
  /** Error of the last request. */
  readonly error: string | null;
  /** Messages that arrived during the load of a newest or newer page: they are at least as recent as the page. */
  readonly touched: ReadonlyMap<string, SimMessage>;
}

export const EMPTY_LOG: ChannelLog = {
  messages: [],
  hasOlder: false,
  hasNewer: false,
  loading: null,
  error: null,
  touched: new Map(),
};

export function beginLoading(log: ChannelLog, which: 'newest' | 'older' | 'newer'): ChannelLog {
  return { ...log, loading: which, error: null, touched: new Map() };
}

export function failLoading(log: ChannelLog, error: string): ChannelLog {
  return { ...log, loading: null, error };
}

function insert(messages: readonly SimMessage[], message: SimMessage): readonly SimMessage[] {
  const time = Date.parse(message.createdAt);
  const before = messages.findLastIndex((item) => Date.parse(item.createdAt) <= time);
  return messages.toSpliced(before + 1, 0, message);
}

/** Removes the oldest messages of a window that is too long. */
function cutOldest(log: ChannelLog): ChannelLog {
  if (log.messages.length <= MAX_LOG) return log;
  return { ...log, messages: log.messages.slice(-MAX_LOG), hasOlder: true };
}

/**
 * Cuts a full window that has no message in common with the last drawn window. Most rows of a flood would be replaced
 * before a user could read them; older messages are loaded when the user scrolls to them.
 */
export function cutFlood(log: ChannelLog, drawn: ChannelLog): ChannelLog {
  const lastDrawn = drawn.messages.at(-1);
  if (lastDrawn === undefined || log.messages.length < MAX_LOG) return log;
  if (log.messages.some(({ id }) => id === lastDrawn.id)) return log;
  return { ...log, messages: log.messages.slice(-FLOOD_LOG), hasOlder: true };
}

/** Adds a message, or replaces the known message with its edited or deleted form. */
export function upsertMessage(log: ChannelLog, message: SimMessage): ChannelLog {
  const isPageRecent = log.loading === 'newest' || log.loading === 'newer';
  const touched = isPageRecent ? new Map(log.touched).set(message.id, message) : log.touched;
  const known = log.messages.findLastIndex((item) => item.id === message.id);
  if (known !== -1) return { ...log, touched, messages: log.messages.with(known, message) };
  const first = log.messages[0];
  const isBeforeWindow =
    log.hasOlder &&
    first !== undefined &&
    Date.parse(message.createdAt) < Date.parse(first.createdAt);
  if (isBeforeWindow || log.hasNewer) return { ...log, touched };
  return cutOldest({ ...log, touched, messages: insert(log.messages, message) });
}

/** Replaces the window with the newest page; messages that arrived during the load are kept. */
export function receiveNewest(log: ChannelLog, page: SimMessagePage): ChannelLog {
  const fresh: ChannelLog = {
    ...EMPTY_LOG,
    messages: page.messages,
    hasOlder: page.hasMore,
  };
  return [...log.touched.values()].reduce(upsertMessage, fresh);
}

/** Returns the messages of a page that the window does not have. */
function unknown(log: ChannelLog, page: SimMessagePage): readonly SimMessage[] {
  const known = new Set(log.messages.map((message) => message.id));
  return page.messages.filter((message) => !known.has(message.id));
}

/** Adds an older page; removes the newest messages of a window that is too long. */
export function receiveOlder(log: ChannelLog, page: SimMessagePage): ChannelLog {
  const messages = [...unknown(log, page), ...log.messages];
  return {
    ...log,
    messages: messages.slice(0, MAX_LOG),
    hasOlder: page.hasMore,
    hasNewer: log.hasNewer || messages.length > MAX_LOG,
    loading: null,
    error: null,
  };
}

/** Adds a newer page and the messages that arrived during the load; removes the oldest messages above the maximum. */
export function receiveNewer(log: ChannelLog, page: SimMessagePage): ChannelLog {
  const messages = [...log.messages, ...unknown(log, page)];
  const longer = cutOldest({
    ...log,
    messages,
    hasNewer: page.hasMore,
    loading: null,
    error: null,
    touched: new Map(),
  });
  return [...log.touched.values()].reduce(upsertMessage, longer);
}
