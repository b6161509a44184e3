// commands/now.ts -> /now
import { defineCommand } from 'virgule';
import { playerOf } from '../lib/players.js';
import { nameOf } from '../lib/songs.js';

export default defineCommand({
  description: 'Show the song that plays',
  run: async (context) => {
    const { playing = '', positionMs, state } = await playerOf(context);
    const seconds = Math.floor(positionMs / 1_000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    return `${state === 'paused' ? '⏸️' : '▶️'} ${nameOf(playing)} ${time}`;
  },
});
