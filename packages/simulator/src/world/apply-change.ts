import type { Change, PlaceRecord } from './change.js';
import { historyIndex } from './history.js';
import type { MessageRecord, WorldState } from './state.js';

/** Changes of a type. */
type ChangeOf<Type, Each = Change> = Each extends { readonly type: infer Types }
  ? Type extends Types
    ? Each
    : never
  : never;

/** Effect of each type of change. A type without an effect only notifies listeners. */
const EFFECTS: {
  readonly [Type in Change['type']]?: (state: WorldState, change: ChangeOf<Type>) => unknown;
} = {
  'message.created': (state, { message }) => addMessage(state, message),
  'message.edited': replaceMessage,
  'message.deleted': replaceMessage,
  'message.failed': replaceMessage,
  'messages.forgotten': (state, { channelId, count }) => forgetMessages(state, channelId, count),
  'reaction.added': replaceMessage,
  'reaction.removed': replaceMessage,
  'voice.changed': ({ voice }, change) => voice.set(change.voice.channelId, change.voice),
  'upload.opened': ({ uploads }, { upload }) => uploads.set(upload.objectKey, upload),
  'upload.stored': ({ uploads }, { upload }) => uploads.set(upload.objectKey, upload),
  'upload.expired': ({ uploads }, { objectKey }) => uploads.delete(objectKey),
  // `list` names the list for this kind of record.
  'place.saved': (state, { list, record }) =>
    (state[list] as Map<string, PlaceRecord>).set(record.id, record),
  'place.removed': (state, { list, id }) => {
    state[list].delete(id);
    forgetContents(state, id);
  },
  'world.replaced': (state, change) => Object.assign(state, copyOf(change.state)),
  'interaction.created': (state, { interaction }) =>
    state.interactions.set(interaction.id, interaction),
  'interaction.changed': (state, { interaction }) =>
    state.interactions.set(interaction.id, interaction),
  'interactions.forgotten': ({ interactions }, { interactionIds }) => {
    for (const id of interactionIds) interactions.delete(id);
  },
  'bot.changed': ({ bots }, { bot }) => bots.set(bot.botUserId, bot),
  'commands.replaced': ({ bots }, { bot }) => bots.set(bot.botUserId, bot),
  'bot.removed': ({ bots }, { bot }) => bots.delete(bot.botUserId),
  'clock.changed': (state, { clock }) => (state.clock = clock),
  'problems.reported': (state, { problems }) => (state.problems = problems),
};

/** Applies a change to the state. The caller has validated it. */
export function applyChange(state: WorldState, change: Change): void {
  state.sequence += 1;
  // The table has the effect for this type of change.
  const apply = EFFECTS[change.type] as ((state: WorldState, change: Change) => void) | undefined;
  apply?.(state, change);
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
  { messages, histories }: WorldState,
  { message }: { readonly message: MessageRecord },
): void {
  const history = histories.get(message.channelId);
  if (!messages.has(message.id) || history === undefined) return;
  messages.set(message.id, message);
  history[historyIndex(history, message.position)] = message;
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
