// commands/note/add.ts -> /note-add buy milk, and as a message: !note-add buy milk
import { defineCommand } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Add a note to this channel',
  messages: true,
  // The last string option takes the rest of the line.
  options: z.object({ text: z.string().min(1).describe('What to remember') }),
  run: ({ options, channelId, services }) =>
    `Added note ${services.notes.add(channelId, options.text)}.`,
});
