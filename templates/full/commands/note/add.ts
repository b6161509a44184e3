// commands/note/add.ts -> /note-add buy milk
import { defineCommand } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Keep a note in this channel',
  // The last text option takes the rest of the line.
  options: z.object({ text: z.string().min(1).describe('What to remember') }),
  run: ({ options, channelId, services }) =>
    `Note ${services.notes.add(channelId, options.text)} is kept.`,
});
