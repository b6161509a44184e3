import type { SimEvent } from '@virgule/core/simulator-api';

/** Who is typing where, and until when: channel id -> user id -> milliseconds since the epoch. */
export type Typing = ReadonlyMap<string, ReadonlyMap<string, number>>;

export const NOBODY_TYPING: Typing = new Map();

/** A typing frame adds its user; a message takes its author away; a snapshot forgets all. */
export function typingAfter(typing: Typing, event: SimEvent, nowMs: number): Typing {
  if (event.type === 'snapshot') return NOBODY_TYPING;
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

/** `Demo Bot is typing`, up to three names; empty when nobody is. */
export function describeTyping(names: readonly string[]): string {
  const [first, second, third] = names;
  if (first === undefined) return '';
  if (second === undefined) return `${first} is typing`;
  if (third === undefined) return `${first} and ${second} are typing`;
  if (names.length === 3) return `${first}, ${second} and ${third} are typing`;
  return 'Several people are typing';
}
