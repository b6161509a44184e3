import type { SimMessage } from '@virgule/core/simulator-api';

/** Unread messages by channel. */
export type Unread = ReadonlyMap<string, { readonly count: number; readonly firstId: string }>;

/** Adds a new message, unless it is one of the user, or its channel is open in a visible window. */
export function unreadAfterMessage(
  unread: Unread,
  { id, channelId, authorId }: SimMessage,
  context: { readonly ownUserId: string | null; readonly seenChannelId: string | null },
): Unread {
  if (channelId === context.seenChannelId || authorId === context.ownUserId) return unread;
  const { count, firstId } = unread.get(channelId) ?? { count: 0, firstId: id };
  return new Map(unread).set(channelId, { count: count + 1, firstId });
}

export function markRead(unread: Unread, channelId: string): Unread {
  if (!unread.has(channelId)) return unread;
  const others = new Map(unread);
  others.delete(channelId);
  return others;
}

export const unreadTotal = (unread: Unread): number =>
  [...unread.values()].reduce((sum, channel) => sum + channel.count, 0);
