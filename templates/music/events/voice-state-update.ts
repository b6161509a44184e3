// Stops the music when the last listener has left.
import { voiceChange } from '@virgule/voice';
import { defineEvent } from 'virgule';

export default defineEvent('VOICE_STATE_UPDATE', async ({ data, voice, log }) => {
  const { from } = voiceChange(data);
  const player = from ? voice.get(from) : undefined;
  if (!from || !player) return;
  const members = await voice.members(from);
  // The bot itself remains.
  if (!members || members.length > 1) return;
  log.info({ channelId: from }, 'no one listens, the music ends');
  await player.close();
});
