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

/** Returns the event of a change for a bot, or `undefined` if the bot does not see the change. */
export function gatewayEvent(
  world: World,
  change: Change,
  botUserId: string,
): GatewayEvent | undefined {
  const view: View = { world, botUserId };
  switch (change.type) {
    case 'message.created':
      return messageEvent(view, 'MESSAGE_CREATE', change.message.id);
    case 'message.edited':
      return messageEvent(view, 'MESSAGE_UPDATE', change.messageId);
    case 'message.deleted':
      return messageEvent(view, 'MESSAGE_DELETE', change.messageId);
    case 'reaction.added':
    case 'reaction.removed':
      return reactionEvent(view, change);
    case 'voice.changed':
      return voiceEvent(view, change);
    case 'interaction.created':
      return change.interaction.botUserId === botUserId
        ? commandEvent(view, change.interaction)
        : undefined;
    default:
      return undefined;
  }
}

/** The world as a bot sees it. */
interface View {
  readonly world: World;
  readonly botUserId: string;
}

/** Returns an event in a channel, or `undefined` if the bot does not see the channel. */
function inChannel(
  { world, botUserId }: View,
  name: EventName,
  channelId: string,
  payload: (channel: ChannelRecord) => object,
): GatewayEvent | undefined {
  const channel = world.state.channels.get(channelId);
  if (channel === undefined || !botSees(world, channel, botUserId)) return undefined;
  return { name, intent: EVENTS[name].intent, payload: () => payload(channel) };
}

function messageEvent(
  view: View,
  name: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE' | 'MESSAGE_DELETE',
  messageId: string,
): GatewayEvent | undefined {
  const message = view.world.state.messages.get(messageId);
  if (message === undefined) return undefined;
  return inChannel(view, name, message.channelId, ({ serverId }) =>
    name === 'MESSAGE_DELETE'
      ? deletedPayload(serverId, message)
      : messagePayload(view, serverId, message),
  );
}

function messagePayload(
  { world, botUserId }: View,
  serverId: string,
  message: MessageRecord,
): object {
  const dto = messageView(world, message, botUserId);
  switch (world.profile.messageEvent) {
    case 'with-server-id':
      return { serverId, ...dto };
    case 'without-server-id':
      return dto;
    case 'unknown-fields':
      return { ...dto, serverId, ...UNKNOWN_FIELDS };
  }
}

/** Returns the payload of MESSAGE_DELETE: only ids. */
function deletedPayload(serverId: string, message: MessageRecord): object {
  const { id, channelId } = message;
  return { serverId, channelId, messageId: id };
}

function reactionEvent(
  view: View,
  change: Extract<Change, { readonly type: 'reaction.added' | 'reaction.removed' }>,
): GatewayEvent | undefined {
  const { world } = view;
  const { messageId, userId, emoji } = change;
  const message = world.state.messages.get(messageId);
  if (message === undefined) return undefined;
  const isAdded = change.type === 'reaction.added';
  const { unicodeEmojiKind } = world.profile;
  const reaction = message.reactions.find((each) => emojiKeyEquals(each.emoji, emoji));
  return inChannel(
    view,
    isAdded ? 'MESSAGE_REACTION_ADD' : 'MESSAGE_REACTION_REMOVE',
    message.channelId,
    ({ id, serverId }) => ({
      serverId,
      channelId: id,
      messageId,
      userId,
      emoji: reactionEmoji(emoji, unicodeEmojiKind),
      count: reaction?.userIds.length ?? 0,
    }),
  );
}

function voiceEvent(
  view: View,
  { voice, presence }: Extract<Change, { readonly type: 'voice.changed' }>,
): GatewayEvent | undefined {
  if (presence === null) return undefined;
  return inChannel(view, 'VOICE_STATE_UPDATE', voice.channelId, ({ id, serverId }) => ({
    serverId,
    channelId: presence.isPresent ? id : null,
    userId: presence.userId,
    participants: participantViews(view.world, voice),
  }));
}

function commandEvent(view: View, interaction: InteractionRecord): GatewayEvent | undefined {
  const { id, userId, channelId, commandName, rawInput } = interaction;
  return inChannel(view, 'APPLICATION_COMMAND', channelId, ({ serverId }) => ({
    interactionId: id,
    serverId,
    channelId,
    name: commandName,
    rawInput,
    ...commandUser(view.world, userId),
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
