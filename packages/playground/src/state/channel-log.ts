import type { SimMessage, SimMessagePage } from '@virgule/core/simulator-api';
import { timeOf } from './message-time.js';

/** How many messages of a channel are kept and drawn at most. */
export const LOG_MAX = 300;

/** What the page holds of one channel's messages: a window without gaps. */
export interface ChannelLog {
  /** Oldest first. */
  readonly messages: readonly SimMessage[];
  readonly hasOlder: boolean;
  /** Newer messages were cut off to keep the window short; new ones are left out until it is read anew. */
  readonly hasNewer: boolean;
  readonly loading: 'newest' | 'older' | null;
  /** Why the last reading failed. */
  readonly error: string | null;
  /** Messages that arrived while the newest page was being read: they are at least as fresh as the page. */
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

export function beginLoading(log: ChannelLog, which: 'newest' | 'older'): ChannelLog {
  return { ...log, loading: which, error: null, touched: new Map() };
}

export function failLoading(log: ChannelLog, error: string): ChannelLog {
  return { ...log, loading: null, error };
}

function insert(messages: readonly SimMessage[], message: SimMessage): readonly SimMessage[] {
  const known = messages.findLastIndex((item) => item.id === message.id);
  if (known !== -1) return messages.with(known, message);
  const time = timeOf(message.createdAt);
  const before = messages.findLastIndex((item) => timeOf(item.createdAt) <= time);
  return messages.toSpliced(before + 1, 0, message);
}

/** Keeps the newest messages of a window that follows the conversation. */
function cutOldest(log: ChannelLog): ChannelLog {
  if (log.messages.length <= LOG_MAX) return log;
  return { ...log, messages: log.messages.slice(-LOG_MAX), hasOlder: true };
}

/** A message that is new, edited or deleted. */
export function upsertMessage(log: ChannelLog, message: SimMessage): ChannelLog {
  const touched =
    log.loading === 'newest' ? new Map(log.touched).set(message.id, message) : log.touched;
  const isKnown = log.messages.some((item) => item.id === message.id);
  const first = log.messages[0];
  const isBeforeWindow =
    log.hasOlder && first !== undefined && timeOf(message.createdAt) < timeOf(first.createdAt);
  if (!isKnown && (isBeforeWindow || log.hasNewer)) return { ...log, touched };
  return cutOldest({ ...log, touched, messages: insert(log.messages, message) });
}

/** The newest page replaces the window; what arrived meanwhile stays. */
export function receiveNewest(log: ChannelLog, page: SimMessagePage): ChannelLog {
  const fresh: ChannelLog = {
    ...EMPTY_LOG,
    messages: page.messages,
    hasOlder: page.hasMore,
  };
  return [...log.touched.values()].reduce(upsertMessage, fresh);
}

/** An older page goes in front; a window that grows too long loses its newest end. */
export function receiveOlder(log: ChannelLog, page: SimMessagePage): ChannelLog {
  const known = new Set(log.messages.map((message) => message.id));
  const messages = [...page.messages.filter((message) => !known.has(message.id)), ...log.messages];
  return {
    ...log,
    messages: messages.slice(0, LOG_MAX),
    hasOlder: page.hasMore,
    hasNewer: log.hasNewer || messages.length > LOG_MAX,
    loading: null,
    error: null,
  };
}
