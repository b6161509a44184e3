import type { ReactionMutationRequest, ReactionQuery } from '@virgule/core/protocol';
import { invalid } from './refusal.js';
import { emojiKeyEquals, looksLikeEmoji } from './reaction-emoji.js';
import type { EmojiKey, EmojiRecord, MessageRecord, ReactionRecord } from './state.js';
import type { World } from './world.js';

/** Returns the custom emojis of a server, then those of other servers with the bot, or for a user, with any bot. */
export function usableEmojis(world: World, serverId: string, actorId: string): EmojiRecord[] {
  const { emojis, servers, bots } = world.state;
  const isUsable = (otherId: string): boolean => {
    const botIds = servers.get(otherId)?.botIds ?? [];
    return bots.has(actorId) ? botIds.includes(actorId) : botIds.length > 0;
  };
  const all = [...emojis.values()];
  return [
    ...all.filter((emoji) => emoji.serverId === serverId),
    ...all.filter((emoji) => emoji.serverId !== serverId && isUsable(emoji.serverId)),
  ];
}

/** Returns the emoji of a request. Exactly one of the two keys is null. */
function chosenEmoji(
  world: World,
  serverId: string,
  actorId: string,
  choice: ReactionMutationRequest,
): EmojiKey {
  const { unicodeEmoji, customEmojiId } = choice;
  if (customEmojiId === null) {
    if (unicodeEmoji !== null && looksLikeEmoji(unicodeEmoji))
      return { unicodeEmoji, customEmojiId, customEmojiName: null };
    throw invalid('unicodeEmoji', `${JSON.stringify(unicodeEmoji)} is not an emoji.`);
  }
  const emoji = usableEmojis(world, serverId, actorId).find(({ id }) => id === customEmojiId);
  if (emoji !== undefined)
    return { unicodeEmoji: null, customEmojiId, customEmojiName: emoji.name };
  const message = `The custom emoji ${customEmojiId} cannot be used in this server.`;
  throw invalid('customEmojiId', message);
}

/** Adds a user to the reactions with an emoji, or removes the user; does nothing if nothing would change. */
function change(
  world: World,
  message: MessageRecord,
  userId: string,
  emoji: EmojiKey,
  type: 'reaction.added' | 'reaction.removed',
): MessageRecord {
  // An earlier change may have replaced the record.
  const current = world.state.messages.get(message.id) ?? message;
  const known = current.reactions.find((each) => emojiKeyEquals(each.emoji, emoji));
  const { userIds, ...reaction } = known ?? { emoji, userIds: [] };
  const isAdded = type === 'reaction.added';
  if (userIds.includes(userId) === isAdded) return current;
  const others = userIds.filter((id) => id !== userId);
  const next = { ...reaction, userIds: isAdded ? [...others, userId] : others };
  const reactions = known
    ? current.reactions.map((each) => (each === known ? next : each))
    : [...current.reactions, next];
  const changed = { ...current, reactions: reactions.filter((each) => each.userIds.length > 0) };
  world.emit({ type, message: changed, userId, emoji: reaction.emoji });
  return changed;
}

/** Changes the reactions of a user to a message, and returns the changed message. */
type ReactionChange = (
  world: World,
  message: MessageRecord,
  userId: string,
  choice: ReactionMutationRequest,
) => MessageRecord;

/** Adds a reaction. A second reaction with the same emoji changes nothing. */
export const addReaction: ReactionChange = (world, message, userId, choice) => {
  const serverId = world.state.channels.get(message.channelId)?.serverId ?? '';
  const emoji = chosenEmoji(world, serverId, userId, choice);
  return change(world, message, userId, emoji, 'reaction.added');
};

/** Removes a reaction; does nothing if there is no such reaction. */
export const removeReaction: ReactionChange = (world, message, userId, choice) =>
  change(world, message, userId, { ...choice, customEmojiName: null }, 'reaction.removed');

/** Removes the reactions one by one: the Bot Interface has no event for the removal of all reactions of a message. */
export function clearReactions(world: World, message: MessageRecord): MessageRecord {
  let cleared = message;
  for (const { emoji, userIds } of message.reactions)
    for (const userId of userIds)
      cleared = change(world, message, userId, emoji, 'reaction.removed');
  return cleared;
}

/** Returns the reactions that match a query; all reactions for a query without an emoji. */
export function selectReactions(message: MessageRecord, query: ReactionQuery): ReactionRecord[] {
  const { unicodeEmoji, customEmojiId } = query;
  if (unicodeEmoji === undefined && customEmojiId === undefined) return [...message.reactions];
  return message.reactions.filter(
    ({ emoji }) =>
      (unicodeEmoji !== undefined && emoji.unicodeEmoji === unicodeEmoji) ||
      (customEmojiId !== undefined && emoji.customEmojiId === customEmojiId),
  );
}
