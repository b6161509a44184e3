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

function reactionOf(message: MessageRecord, emoji: EmojiKey): ReactionRecord | undefined {
  return message.reactions.find((reaction) => emojiKeyEquals(reaction.emoji, emoji));
}

const current = (world: World, message: MessageRecord): MessageRecord =>
  world.state.messages.get(message.id) ?? message;

/** Adds a reaction. A second reaction with the same emoji changes nothing. */
export function addReaction(
  world: World,
  message: MessageRecord,
  userId: string,
  choice: ReactionMutationRequest,
): MessageRecord {
  const serverId = world.state.channels.get(message.channelId)?.serverId ?? '';
  const emoji = chosenEmoji(world, serverId, userId, choice);
  if (reactionOf(message, emoji)?.userIds.includes(userId) !== true) {
    world.emit({ type: 'reaction.added', messageId: message.id, userId, emoji });
  }
  return current(world, message);
}

/** Removes a reaction; does nothing if there is no such reaction. */
export function removeReaction(
  world: World,
  message: MessageRecord,
  userId: string,
  choice: ReactionMutationRequest,
): MessageRecord {
  const reaction = reactionOf(message, { ...choice, customEmojiName: null });
  if (reaction?.userIds.includes(userId) === true) {
    const { emoji } = reaction;
    world.emit({ type: 'reaction.removed', messageId: message.id, userId, emoji });
  }
  return current(world, message);
}

/** Removes the reactions one by one: the Bot Interface has no event for the removal of all reactions of a message. */
export function clearReactions(world: World, message: MessageRecord): MessageRecord {
  for (const { emoji, userIds } of message.reactions) {
    for (const userId of userIds) {
      world.emit({ type: 'reaction.removed', messageId: message.id, userId, emoji });
    }
  }
  return current(world, message);
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
