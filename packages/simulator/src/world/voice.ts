import { requireKind } from './access.js';
import { Refusal } from './refusal.js';
import type { ChannelRecord, VoiceRecord } from './state.js';
import type { World } from './world.js';

/** Returns the participants of a voice channel. An open ingress makes the bot a silent participant. */
export function participantIds({ joinedIds, ingress }: VoiceRecord): readonly string[] {
  if (ingress === null || joinedIds.includes(ingress.botUserId)) return joinedIds;
  return [...joinedIds, ingress.botUserId];
}

export const voiceOf = (world: World, channelId: string): VoiceRecord =>
  world.state.voice.get(channelId) ?? { channelId, joinedIds: [], ingress: null };

/** Changes a voice channel, and determines whether the user joined or left. */
function change(world: World, userId: string, next: VoiceRecord): void {
  const before = participantIds(voiceOf(world, next.channelId)).includes(userId);
  const isPresent = participantIds(next).includes(userId);
  world.emit({
    type: 'voice.changed',
    voice: next,
    presence: before === isPresent ? null : { userId, isPresent },
  });
}

/** Joins a voice channel; leaves other voice channels of the same server first. */
export function joinVoice(world: World, channel: ChannelRecord, userId: string): void {
  requireKind(channel, 'voice');
  const voice = voiceOf(world, channel.id);
  if (voice.joinedIds.includes(userId)) return;
  leaveAllVoice(world, userId, channel.serverId);
  change(world, userId, { ...voice, joinedIds: [...voice.joinedIds, userId] });
}

/** Leaves a voice channel; does nothing if the user is not in the channel. */
export function leaveVoice(world: World, channel: ChannelRecord, userId: string): void {
  requireKind(channel, 'voice');
  const voice = voiceOf(world, channel.id);
  if (!voice.joinedIds.includes(userId)) return;
  change(world, userId, { ...voice, joinedIds: voice.joinedIds.filter((id) => id !== userId) });
}

/** Leaves all voice channels, or all voice channels of one server. */
export function leaveAllVoice(world: World, userId: string, serverId?: string): void {
  for (const voice of world.state.voice.values()) {
    const channel = world.state.channels.get(voice.channelId);
    if (channel === undefined || !voice.joinedIds.includes(userId)) continue;
    if (serverId === undefined || channel.serverId === serverId) leaveVoice(world, channel, userId);
  }
}

/** Opens an ingress for a bot. Replaces the open ingress of any bot in the channel, including its stream key. */
export function openIngress(world: World, channel: ChannelRecord, botUserId: string): string {
  requireKind(channel, 'voice');
  const { ingress } = voiceOf(world, channel.id);
  if (ingress !== null && ingress.botUserId !== botUserId)
    closeIngress(world, channel, ingress.botUserId);
  const id = world.nextId('ingress');
  change(world, botUserId, { ...voiceOf(world, channel.id), ingress: { id, botUserId } });
  return id;
}

export function closeIngress(world: World, channel: ChannelRecord, botUserId: string): void {
  requireKind(channel, 'voice');
  const voice = voiceOf(world, channel.id);
  if (voice.ingress?.botUserId !== botUserId) {
    throw new Refusal(404, 'bot_ingress_not_found', `No ingress is open in ${channel.name}.`, {
      resource: 'ingress',
      channelId: channel.id,
    });
  }
  change(world, botUserId, { ...voice, ingress: null });
}
