import type { SimChannel } from '@virgule/core/simulator-api';
import { useEffect, useMemo } from 'preact/hooks';
import { useApp } from './app-context.js';
import { TextButton } from './controls.js';

/** Shows what the bot publishes to a voice channel, and plays it. */
export function VoiceAudio({ channel }: { readonly channel: SimChannel }) {
  const app = useApp();
  const listener = useMemo(() => app.listen(channel.id), [channel.id]);
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
