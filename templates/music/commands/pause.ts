// commands/pause.ts -> /pause
import { defineCommand } from 'virgule';
import { playerOf } from '../lib/players.js';

export default defineCommand({
  description: 'Pause the song, or continue it',
  run: async (context) => {
    const player = await playerOf(context);
    if (player.state === 'paused') {
      player.resume();
      return 'Continued.';
    }
    player.pause();
    return 'Paused. /pause continues.';
  },
});
