// Source: Bot Interface, "Events". What it does not specify comes from the profile.
import { EVENTS, type EventName, type Intent } from '@virgule/core/protocol';
import { UNKNOWN_FIELDS } from '../rest/not-shown.js';
import { botSees } from '../world/access.js';
import type { Change } from '../world/change.js';
import { messageView } from '../world/message-view.js';
import { participantViews } from '../world/place-views.js';
import { emojiKeyEquals, reactionEmoji } from '../world/reaction-emoji.js';
import type { ChannelRecord, InteractionRecord, MessageRecord } from '../world/state.js';
import type { World } from '../world/world.js';

/** An event for the bot. */
export interface GatewayEvent {
  readonly name: EventName;
  readonly intent: Intent;
  /** Returns `d`; called only if a socket receives the event. */
  readonly payload: () => object;
}

/** Returns the event for a change, or `undefined` if the bot does not see the change. */
export function gatewayEvent(world: World, change: Change): GatewayEvent | undefined {
  switch (change.type) {
    case 'message.created':
      return messageEvent(world, 'MESSAGE_CREATE', change.message.id);
    case 'message.edited':
      return messageEvent(world, 'MESSAGE_UPDATE', change.messageId);
    case 'message.deleted':
      return messageEvent(world, 'MESSAGE_DELETE', change.messageId);
    case 'reaction.added':
    case 'reaction.removed':
      return reactionEvent(world, change);
    case 'voice.changed':
      return voiceEvent(world, change);
    case 'interaction.created':
      return commandEvent(world, change.interaction);
    default:
      return undefined;
  }
}

/** Returns an event in a channel, or `undefined` if the bot does not see the channel. */
function inChannel(
  world: World,
  name: EventName,
  channelId: string,
  payload: (channel: ChannelRecord) => object,
): GatewayEvent | undefined {
  const channel = world.state.channels.get(channelId);
  if (channel === undefined || !botSees(world, channel)) return undefined;
  return { name, intent: EVENTS[name].intent, payload: () => payload(channel) };
}

function messageEvent(
  world: World,
  name: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE' | 'MESSAGE_DELETE',
  messageId: string,
): GatewayEvent | undefined {
  const message = world.state.messages.get(messageId);
  if (message === undefined) return undefined;
  return inChannel(world, name, message.channelId, ({ serverId }) =>
    name === 'MESSAGE_DELETE'
      ? deletedPayload(world, serverId, message)
      : messagePayload(world, serverId, message),
  );
}

function messagePayload(world: World, serverId: string, message: MessageRecord): object {
  const view = messageView(world, message);
  switch (world.profile.messageEvent) {
    case 'with-server-id':
      return { serverId, ...view };
    case 'without-server-id':
      return view;
    case 'unknown-fields':
      return { ...view, serverId, ...UNKNOWN_FIELDS };
  }
}

/** Returns the payload of MESSAGE_DELETE: only ids. */
function deletedPayload(world: World, serverId: string, message: MessageRecord): object {
  const { id, channelId } = message;
  return { serverId, channelId, [world.profile.messageDeleteKey]: id };
}

function reactionEvent(
  world: World,
  change: Extract<Change, { readonly type: 'reaction.added' | 'reaction.removed' }>,
): GatewayEvent | undefined {
  const { messageId, userId, emoji } = change;
  const message = world.state.messages.get(messageId);
  if (message === undefined) return undefined;
  const isAdded = change.type === 'reaction.added';
  const { unicodeEmojiKind, reactionRemoveCount } = world.profile;
  const reaction = message.reactions.find((each) => emojiKeyEquals(each.emoji, emoji));
  return inChannel(
    world,
    isAdded ? 'MESSAGE_REACTION_ADD' : 'MESSAGE_REACTION_REMOVE',
    message.channelId,
    ({ id, serverId }) => ({
      serverId,
      channelId: id,
      messageId,
      userId,
      emoji: reactionEmoji(emoji, unicodeEmojiKind),
      ...(isAdded || reactionRemoveCount ? { count: reaction?.userIds.length ?? 0 } : {}),
    }),
  );
}

function voiceEvent(
  world: World,
  { voice, presence }: Extract<Change, { readonly type: 'voice.changed' }>,
): GatewayEvent | undefined {
  if (presence === null) return undefined;
  return inChannel(world, 'VOICE_STATE_UPDATE', voice.channelId, ({ id, serverId }) => ({
    serverId,
    channelId: presence.isPresent ? id : null,
    userId: presence.userId,
    participants: participantViews(world, voice),
  }));
}

function commandEvent(world: World, interaction: InteractionRecord): GatewayEvent | undefined {
  const { id, userId, channelId, commandName, rawInput } = interaction;
  return inChannel(world, 'APPLICATION_COMMAND', channelId, ({ serverId }) => ({
    interactionId: id,
    serverId,
    channelId,
    name: commandName,
    rawInput,
    ...commandUser(world, userId),
  }));
}

/** Returns the user who ran a command. The Bot Interface has no such field; some profiles do. */
function commandUser(world: World, userId: string): object {
  switch (world.profile.commandUser) {
    case 'absent':
      return {};
    case 'userId':
      return { userId };
    case 'user.id': {
      const user = world.state.users.get(userId);
      return { user: { id: userId, username: user?.username, displayName: user?.displayName } };
    }
  }
}
