// commands/play.ts -> /play morning
import { defineCommand } from 'virgule';
import * as z from 'zod';
import { chooseChannel, findPlayer } from '../lib/players.js';
import { findSong, nameOf } from '../lib/songs.js';

export default defineCommand({
  description: 'Play a song, or add it to the queue',
  options: z.object({ song: z.string().describe('The name of a file in songs/') }),
  // Two users may begin at once: the second song follows the first.
  concurrency: { max: 1, per: 'server', when: 'queue' },
  // The platform does not report who ran a command, so the bot chooses the channel.
  run: async (context) => {
    const song = await findSong(context.options.song);
    const player = await findPlayer(context);
    if (player) {
      player.queue.add(song);
      return `Added ${nameOf(song)} to the queue.`;
    }
    const channel = await chooseChannel(context);
    await context.voice.stream(channel.id, song);
    return `Playing ${nameOf(song)} in ${channel.name}.`;
  },
});
