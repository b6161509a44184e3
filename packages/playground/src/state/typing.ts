import type { SimEvent } from '@virgule/core/simulator-api';
import { listOf } from '@virgule/core/text';

/** Ends of typing indicators, by channel id and user id, in milliseconds since the epoch. */
export type Typing = ReadonlyMap<string, ReadonlyMap<string, number>>;

export const NO_TYPING: Typing = new Map();

/** Adds the user of a typing event, removes the author of a message, and removes all users on a snapshot. */
export function typingAfter(typing: Typing, event: SimEvent, nowMs: number): Typing {
  if (event.type === 'snapshot') return NO_TYPING;
  if (event.type !== 'typing' && event.type !== 'message') return typing;
  const { channelId, userId } =
    event.type === 'typing'
      ? event
      : { channelId: event.message.channelId, userId: event.message.authorId };
  const here = typing.get(channelId);
  if (event.type === 'message' && here?.has(userId) !== true) return typing;
  const users = new Map([...(here ?? [])].filter(([, untilMs]) => untilMs > nowMs));
  users.delete(userId);
  if (event.type === 'typing') users.set(userId, nowMs + event.forMs);
  return new Map(typing).set(channelId, users);
}

/** Returns `Demo Bot is typing`, with up to three names; empty without names. */
export function describeTyping(names: readonly string[]): string {
  if (names.length > 3) return 'Several people are typing';
  if (names.length === 0) return '';
  return `${listOf(names)} ${names.length === 1 ? 'is' : 'are'} typing`;
}
