import type { SimChannel } from '@virgule/core/simulator-api';
import { useEffect, useMemo } from 'preact/hooks';
import { isOwnBot } from '../state/bots.js';
import { createListener } from '../app/listener.js';
import { actions, api, store } from '../app/page.js';
import { Avatar, BotTag } from './avatar.js';
import { Icon, TextButton } from './controls.js';

/** Shows and plays the audio that the bot publishes to a voice channel. */
function VoiceAudio({ channel }: { readonly channel: SimChannel }) {
  const listener = useMemo(() => createListener(api, channel.id, window), [channel.id]);
  useEffect(() => () => listener.close(), [listener]);
  const audio = listener.audio.value;
  const isPlaying = listener.isPlaying.value;
  if (audio === null)
    return (
      <p class="ingress" title="Until it is closed, the bot is a silent participant">
        <span class="dot" aria-hidden="true" />
        ingress open, no audio
      </p>
    );
  const { packets, lost, level, isStereo } = audio;
  return (
    <div class="audio">
      {level !== null && (
        <>
          <meter max={100} value={level} aria-label={`Level in ${channel.name}`} />
          <TextButton
            aria-pressed={isPlaying}
            aria-label={`Listen in ${channel.name}`}
            onClick={() => listener.play(!isPlaying)}
          >
            {isPlaying ? 'Mute' : 'Listen'}
          </TextButton>
        </>
      )}
      <p title={`${packets} packets received`}>
        {isStereo ? 'stereo' : 'mono'}, {lost} lost
      </p>
    </div>
  );
}

/** Shows a voice channel with its participants. The acting user can join and leave. */
export function VoiceChannel({ channel }: { readonly channel: SimChannel }) {
  const { user, server } = store.place.value;
  const state = store.world.value.voice.get(channel.id);
  const participants = state?.participants ?? [];
  const isIn = participants.some((participant) => participant.userId === user?.id);
  const [verb, input] = isIn ? ['Leave', { leave: true }] : ['Join', { channel: channel.id }];
  return (
    <li class="voice-channel">
      <div class="voice-row">
        <Icon name="volume" />
        <span class="channel-name">{channel.name}</span>
        {user !== null && server?.memberIds.includes(user.id) && (
          <TextButton
            aria-label={`${verb} ${channel.name}`}
            onClick={() =>
              actions.act(`${isIn ? 'Leaving' : 'Joining'} the voice channel`, user, 'voice', input)
            }
          >
            {verb}
          </TextButton>
        )}
      </div>
      {state?.ingressOpen === true && <VoiceAudio channel={channel} />}
      {participants.length > 0 && (
        <ul class="participants" aria-label={`In ${channel.name}`}>
          {participants.map((participant) => (
            <li key={participant.userId}>
              <Avatar id={participant.userId} name={participant.displayName} size="small" />
              <span class="channel-name">{participant.displayName}</span>
              {isOwnBot(store.world.value, participant.userId) && <BotTag />}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
