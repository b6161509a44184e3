import type { VoiceStream } from '@virgule/voice';
import { UserError, type Channel, type CommandContext } from 'virgule';

type Place = Pick<CommandContext, 'rest' | 'serverId' | 'voice'>;

const voiceChannels = async ({ rest, serverId }: Place): Promise<readonly Channel[]> =>
  (await rest.servers.channels(serverId)).filter(({ type }) => type === 'voice');

/** Returns the stream that plays in the server; `undefined` if there is none. */
export async function findPlayer(place: Place): Promise<VoiceStream | undefined> {
  for (const { id } of await voiceChannels(place)) {
    const stream = place.voice.get(id);
    if (stream) return stream;
  }
  return undefined;
}

/** Returns the stream that plays in the server. Users see the error. */
export async function playerOf(place: Place): Promise<VoiceStream> {
  const stream = await findPlayer(place);
  if (stream) return stream;
  throw new UserError('Nothing plays. Start with /play.');
}

/** Returns the voice channel to play in: a channel with a listener, else the first channel. */
export async function chooseChannel(place: Place): Promise<Channel> {
  const channels = await voiceChannels(place);
  for (const channel of channels) {
    if ((await place.voice.members(channel.id))?.length) return channel;
  }
  const [first] = channels;
  if (first) return first;
  throw new UserError('This server has no voice channel that I can see.');
}
