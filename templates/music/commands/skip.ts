// commands/skip.ts -> /skip
import { defineCommand } from 'virgule';
import { playerOf } from '../lib/players.js';
import { nameOf } from '../lib/songs.js';

export default defineCommand({
  description: 'Play the next song',
  run: async (context) => {
    const player = await playerOf(context);
    player.skip();
    return player.playing ? `Playing ${nameOf(player.playing)}.` : 'That was the last song.';
  },
});
