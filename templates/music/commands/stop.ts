// commands/stop.ts -> /stop
import { defineCommand } from 'virgule';
import { playerOf } from '../lib/players.js';

export default defineCommand({
  description: 'Stop the music and leave the channel',
  run: async (context) => {
    const player = await playerOf(context);
    await player.close();
    return 'Stopped.';
  },
});
