import type { SimMessage } from '@virgule/core/simulator-api';

interface UnreadChannel {
  readonly count: number;
  readonly firstId: string;
}

/** Time of the newest counted message, and the ids of the messages with exactly this time. */
interface Counted {
  readonly untilMs: number;
  readonly ids: ReadonlySet<string>;
}

export interface Unread {
  readonly channels: ReadonlyMap<string, UnreadChannel>;
  /** Counted messages by channel: a later event about a counted message is a change, not a new message. */
  readonly counted: ReadonlyMap<string, Counted>;
  /** Start of counting: earlier messages are never counted. */
  readonly sinceMs: number;
}

export function nothingUnread(sinceMs: number): Unread {
  return { channels: new Map(), counted: new Map(), sinceMs };
}

export interface UnreadContext {
  readonly ownUserId: string | null;
  /** The channel that is open in a visible window. */
  readonly seenChannelId: string | null;
}

export function unreadAfterMessage(
  unread: Unread,
  message: SimMessage,
  context: UnreadContext,
): Unread {
  const { channelId } = message;
  const timeMs = Date.parse(message.createdAt);
  const known = unread.counted.get(channelId);
  const isOfLatest = known?.untilMs === timeMs;
  if (isOfLatest ? known.ids.has(message.id) : timeMs <= (known?.untilMs ?? unread.sinceMs)) {
    return unread;
  }
  const ids = new Set(isOfLatest ? known.ids : []).add(message.id);
  const counted = new Map(unread.counted).set(channelId, { untilMs: timeMs, ids });
  const isSeen = channelId === context.seenChannelId || message.authorId === context.ownUserId;
  if (isSeen || message.isDeleted) return { ...unread, counted };
  const before = unread.channels.get(channelId);
  const channels = new Map(unread.channels).set(channelId, {
    count: (before?.count ?? 0) + 1,
    firstId: before?.firstId ?? message.id,
  });
  return { ...unread, counted, channels };
}

export function markRead(unread: Unread, channelId: string): Unread {
  if (!unread.channels.has(channelId)) return unread;
  const channels = new Map(unread.channels);
  channels.delete(channelId);
  return { ...unread, channels };
}

export function unreadTotal(unread: Unread): number {
  return [...unread.channels.values()].reduce((sum, channel) => sum + channel.count, 0);
}
