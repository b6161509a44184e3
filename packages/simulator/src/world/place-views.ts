import type {
  Channel,
  CustomEmoji,
  Server,
  VoiceParticipant,
  VoiceState,
} from '@virgule/core/protocol';
import { botSees } from './access.js';
import { usableEmojis } from './reactions.js';
import type { ChannelRecord, ServerRecord, VoiceRecord } from './state.js';
import { participantIds, voiceOf } from './voice.js';
import type { World } from './world.js';

/** Returns a server (BotServerDto). */
export function serverView({ id, name, memberIds }: ServerRecord): Server {
  return { id, name, memberCount: memberIds.length };
}

/** Returns a channel (BotChannelDto); the values of `type` come from the profile. */
export function channelView(world: World, channel: ChannelRecord): Channel {
  const { id, serverId, name, kind, position, topic } = channel;
  return { id, serverId, name, type: world.profile.channelTypes[kind], position, topic };
}

/** Returns the emojis that a bot can use in a server (list of CustomEmojiDto). `origin` is the origin of the images. */
export function emojiViews(
  world: World,
  serverId: string,
  origin: string,
  botUserId: string,
): CustomEmoji[] {
  return usableEmojis(world, serverId, botUserId).map((emoji) => ({
    id: emoji.id,
    name: emoji.name,
    imageUrl: `${origin}/_files/emojis/${emoji.id}`,
    sourceServerId: emoji.serverId,
    sourceServerName: world.state.servers.get(emoji.serverId)?.name ?? '',
    isExternal: emoji.serverId !== serverId,
    isAnimated: emoji.isAnimated,
  }));
}

export function participantViews(world: World, voice: VoiceRecord): VoiceParticipant[] {
  return participantIds(voice).flatMap((userId) => {
    const user = world.state.users.get(userId);
    return user ? [{ userId, username: user.username, displayName: user.displayName }] : [];
  });
}

/** Returns the voice channels of a server that a bot sees, with their participants. */
export function voiceStateView(world: World, serverId: string, botUserId: string): VoiceState {
  const channels = [...world.state.channels.values()].filter(
    (channel) =>
      channel.serverId === serverId &&
      channel.kind === 'voice' &&
      botSees(world, channel, botUserId),
  );
  return {
    serverId,
    channels: channels.map(({ id }) => ({
      channelId: id,
      participants: participantViews(world, voiceOf(world, id)),
    })),
  };
}
