import type { Change } from './change.js';
import { historyIndex } from './history.js';
import { emojiKeyEquals } from './reaction-emoji.js';
import type { EmojiKey, MessageRecord, ReactionRecord, WorldState } from './state.js';

/** Applies a change to the state. The caller has validated it. */
export function applyChange(state: WorldState, change: Change): void {
  state.sequence += 1;
  switch (change.type) {
    case 'message.created':
      addMessage(state, change.message);
      return;
    case 'message.edited':
      replaceMessage(state, change.messageId, (message) => ({
        ...message,
        content: change.content,
        editedAt: change.editedAt,
      }));
      return;
    case 'message.deleted':
      replaceMessage(state, change.messageId, (message) => ({ ...message, isDeleted: true }));
      return;
    case 'messages.forgotten':
      forgetMessages(state, change.channelId, change.count);
      return;
    case 'reaction.added':
    case 'reaction.removed': {
      const { type, messageId, emoji, userId } = change;
      replaceMessage(state, messageId, (message) => ({
        ...message,
        reactions: withReaction(message.reactions, emoji, userId, type === 'reaction.added'),
      }));
      return;
    }
    case 'typing.started':
    case 'code.reloaded':
      return;
    case 'world.replaced':
      Object.assign(state, copyOf(change.state));
      return;
    case 'voice.changed':
      state.voice.set(change.voice.channelId, change.voice);
      return;
    case 'upload.opened':
    case 'upload.stored':
      state.uploads.set(change.upload.objectKey, change.upload);
      return;
    case 'upload.expired':
      state.uploads.delete(change.objectKey);
      return;
    case 'place.saved':
      // `list` names the list for this kind of record.
      (state[change.list] as Map<string, typeof change.record>).set(
        change.record.id,
        change.record,
      );
      return;
    case 'place.removed':
      state[change.list].delete(change.id);
      forgetContents(state, change.id);
      return;
    case 'commands.replaced': {
      const { botUserId, commands } = change;
      const bot = state.bots.get(botUserId);
      if (bot !== undefined) state.bots.set(botUserId, { ...bot, commands });
      return;
    }
    case 'interaction.created':
    case 'interaction.changed':
      state.interactions.set(change.interaction.id, change.interaction);
      return;
    case 'interactions.forgotten':
      for (const id of change.interactionIds) state.interactions.delete(id);
      return;
    case 'bot.changed':
      state.bots.set(change.bot.botUserId, change.bot);
      return;
    case 'bot.removed':
      state.bots.delete(change.bot.botUserId);
      return;
    case 'clock.changed':
      state.clock = change.clock;
      return;
    case 'problems.reported':
      state.problems = change.problems;
  }
}

/** Copies the lists of a state. Records are never modified. */
export function copyOf(state: WorldState): WorldState {
  const lists = Object.entries(state).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Map ? new Map(value) : value,
  ]);
  const histories = new Map<string, MessageRecord[]>();
  for (const [channelId, messages] of state.histories) histories.set(channelId, [...messages]);
  // The copy has the same keys with the same kinds of values.
  return { ...(Object.fromEntries(lists) as WorldState), histories };
}

function addMessage(state: WorldState, message: MessageRecord): void {
  const history = state.histories.get(message.channelId);
  if (history === undefined) state.histories.set(message.channelId, [message]);
  else history.push(message);
  state.messages.set(message.id, message);
  for (const attachment of message.attachments) {
    state.attachmentMessages.set(attachment.id, message.id);
    state.uploads.delete(attachment.objectKey);
  }
}

function replaceMessage(
  state: WorldState,
  messageId: string,
  edit: (message: MessageRecord) => MessageRecord,
): void {
  const message = state.messages.get(messageId);
  const history = message && state.histories.get(message.channelId);
  if (message === undefined || history === undefined) return;
  const edited = edit(message);
  state.messages.set(messageId, edited);
  history[historyIndex(history, message.position)] = edited;
}

function forgetMessages(state: WorldState, channelId: string, count: number): void {
  for (const message of state.histories.get(channelId)?.splice(0, count) ?? []) {
    state.messages.delete(message.id);
    for (const attachment of message.attachments) state.attachmentMessages.delete(attachment.id);
  }
}

/** Removes the contents of a channel, or the emojis of a server. */
function forgetContents(state: WorldState, placeId: string): void {
  forgetMessages(state, placeId, Number.POSITIVE_INFINITY);
  state.histories.delete(placeId);
  state.voice.delete(placeId);
  for (const { id, channelId } of state.interactions.values())
    if (channelId === placeId) state.interactions.delete(id);
  for (const { objectKey, channelId } of state.uploads.values())
    if (channelId === placeId) state.uploads.delete(objectKey);
  for (const { id, serverId } of state.emojis.values())
    if (serverId === placeId) state.emojis.delete(id);
}

/** Adds or removes a user in the reactions with an emoji. */
function withReaction(
  reactions: readonly ReactionRecord[],
  emoji: EmojiKey,
  userId: string,
  isAdded: boolean,
): ReactionRecord[] {
  const isMeant = (reaction: ReactionRecord): boolean => emojiKeyEquals(reaction.emoji, emoji);
  const all = reactions.some(isMeant) ? reactions : [...reactions, { emoji, userIds: [] }];
  return all
    .map((reaction) => {
      if (!isMeant(reaction)) return reaction;
      const others = reaction.userIds.filter((id) => id !== userId);
      return { ...reaction, userIds: isAdded ? [...others, userId] : others };
    })
    .filter(({ userIds }) => userIds.length > 0);
}
