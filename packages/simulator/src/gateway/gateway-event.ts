// Source: Bot Interface, "Events". Unspecified parts come from the profile.
import { EVENTS, type EventName } from '@virgule/core/protocol';
import { botSees } from '../world/access.js';
import type { Change } from '../world/change.js';
import { messageView, UNKNOWN_FIELDS } from '../world/message-view.js';
import { participantViews } from '../world/place-views.js';
import { emojiKeyEquals, reactionEmoji } from '../world/reaction-emoji.js';
import type { MessageRecord } from '../world/state.js';
import type { World } from '../world/world.js';

/** Returns the event of a change for a bot, or `undefined` if the bot does not see the change. */
export function gatewayEvent(world: World, change: Change, botUserId: string) {
  switch (change.type) {
    case 'message.created':
      return messageEvent(world, botUserId, 'MESSAGE_CREATE', change.message);
    case 'message.edited':
      return messageEvent(world, botUserId, 'MESSAGE_UPDATE', change.message);
    case 'message.deleted':
      return messageEvent(world, botUserId, 'MESSAGE_DELETE', change.message);
    case 'reaction.added':
    case 'reaction.removed': {
      const { message, userId, emoji } = change;
      const reaction = message.reactions.find((each) => emojiKeyEquals(each.emoji, emoji));
      const isAdded = change.type === 'reaction.added';
      const name = isAdded ? 'MESSAGE_REACTION_ADD' : 'MESSAGE_REACTION_REMOVE';
      return inChannel(world, botUserId, name, message.channelId, (place) => ({
        ...place,
        messageId: message.id,
        userId,
        emoji: reactionEmoji(emoji, world.profile.unicodeEmojiKind),
        count: reaction?.userIds.length ?? 0,
      }));
    }
    case 'voice.changed': {
      const { voice, presence } = change;
      if (presence === null) return undefined;
      return inChannel(world, botUserId, 'VOICE_STATE_UPDATE', voice.channelId, (place) => ({
        ...place,
        channelId: presence.isPresent ? place.channelId : null,
        userId: presence.userId,
        participants: participantViews(world, voice),
      }));
    }
    case 'interaction.created': {
      const { id: interactionId, userId, channelId, commandName, rawInput } = change.interaction;
      if (change.interaction.botUserId !== botUserId) return undefined;
      return inChannel(world, botUserId, 'APPLICATION_COMMAND', channelId, (place) => ({
        interactionId,
        ...place,
        name: commandName,
        rawInput,
        ...commandUser(world, userId),
      }));
    }
    default:
      return undefined;
  }
}

/** Returns an event in a channel, or `undefined` if the bot does not see the channel. */
function inChannel(
  world: World,
  botUserId: string,
  name: EventName,
  channelId: string,
  payload: (place: { readonly serverId: string; readonly channelId: string }) => object,
) {
  const channel = world.state.channels.get(channelId);
  if (channel === undefined || !botSees(world, channel, botUserId)) return undefined;
  const { serverId } = channel;
  // The payload is made only if a socket receives the event.
  return { name, intent: EVENTS[name].intent, payload: () => payload({ serverId, channelId }) };
}

function messageEvent(
  world: World,
  botUserId: string,
  name: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE' | 'MESSAGE_DELETE',
  message: MessageRecord,
) {
  return inChannel(world, botUserId, name, message.channelId, (place) => {
    // A deletion has only ids.
    if (name === 'MESSAGE_DELETE') return { ...place, messageId: message.id };
    const dto = messageView(world, message, botUserId);
    switch (world.profile.messageEvent) {
      case 'with-server-id':
        return { serverId: place.serverId, ...dto };
      case 'without-server-id':
        return dto;
      case 'unknown-fields':
        return { ...dto, serverId: place.serverId, ...UNKNOWN_FIELDS };
    }
  });
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
