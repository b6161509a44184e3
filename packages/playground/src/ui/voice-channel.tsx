import type { SimChannel } from '@virgule/core/simulator-api';
import { isOwnBot } from '../state/bots.js';
import { isMember } from '../state/place.js';
import { useApp } from './app-context.js';
import { Avatar } from './avatar.js';
import { BotTag } from './bot-tag.js';
import { Icon } from './icon.js';
import { VoiceAudio } from './voice-audio.js';
import { TextButton } from './controls.js';

/** Shows a voice channel with its participants. The acting user can join and leave. */
export function VoiceChannel({ channel }: { readonly channel: SimChannel }) {
  const { store, actions } = useApp();
  const { user, server } = store.place.value;
  const state = store.world.value.voice.get(channel.id);
  const participants = state?.participants ?? [];
  const isIn = participants.some((participant) => participant.userId === user?.id);
  return (
    <li class="voice-channel">
      <div class="voice-row">
        <Icon name="volume" />
        <span class="channel-name">{channel.name}</span>
        {user !== null && server !== null && isMember(server, user.id) && (
          <TextButton
            aria-label={`${isIn ? 'Leave' : 'Join'} ${channel.name}`}
            onClick={() => actions.moveVoice(user, isIn ? null : channel.id)}
          >
            {isIn ? 'Leave' : 'Join'}
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
