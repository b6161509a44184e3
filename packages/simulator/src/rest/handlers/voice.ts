// Endpoints 20 to 24. The media server receives what is published to an ingress; the URL of a join is not functional.
import type { VoiceIngress, VoiceJoin } from '@virgule/core/protocol';
import { installedServer } from '../../world/access.js';
import { deriveSecret } from '../../world/derive.js';
import { participantViews, voiceStateView } from '../../world/place-views.js';
import { closeIngress, joinVoice, leaveVoice, openIngress, voiceOf } from '../../world/voice.js';
import { channelOf, parameter, type Call, type Handlers } from '../call.js';

export const voiceHandlers = {
  'voice.closeIngress': (call) => closeIngress(call.world, channelOf(call), call.caller.id),
  'voice.openIngress': (call) => ingress(call),
  'voice.join': (call) => join(call),
  'voice.leave': (call) => leaveVoice(call.world, channelOf(call), call.caller.id),
  'voice.state': (call) => {
    const { id } = installedServer(call.world, parameter(call, 'serverId'), call.caller.id);
    return voiceStateView(call.world, id, call.caller.id);
  },
} satisfies Partial<Handlers>;

function join(call: Call<'voice.join'>): VoiceJoin {
  const { world, origin, caller } = call;
  const channel = channelOf(call);
  joinVoice(world, channel, caller.id);
  return {
    token: `sim-voice-${deriveSecret(world.seed, `voice:${channel.id}:${caller.id}`)}`,
    url: `${origin.replace(/^http/, 'ws')}/_media/${channel.id}`,
    channelId: channel.id,
    participants: participantViews(world, voiceOf(world, channel.id)),
  };
}

function ingress(call: Call<'voice.openIngress'>): VoiceIngress {
  const { world, origin, caller } = call;
  const channel = channelOf(call);
  const ingressId = openIngress(world, channel, caller.id);
  return {
    ingressId,
    url: `${origin}/_media/whip/${ingressId}`,
    streamKey: `sim-stream-${deriveSecret(world.seed, `stream:${ingressId}`)}`,
    channelId: channel.id,
    participants: participantViews(world, voiceOf(world, channel.id)),
  };
}
