// commands/queue.ts -> /queue
import { defineCommand } from 'virgule';
import { playerOf } from '../lib/players.js';
import { nameOf } from '../lib/songs.js';

export default defineCommand({
  description: 'Show the songs that follow',
  run: async (context) => {
    const { queue } = await playerOf(context);
    if (queue.names.length === 0) return 'The queue is empty.';
    return queue.names.map((file, index) => `${index + 1}. ${nameOf(file)}`).join('\n');
  },
});
