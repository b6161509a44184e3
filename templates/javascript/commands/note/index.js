// commands/note/index.js -> /note
import { defineCommand } from 'virgule';
import { notesOf } from './_notes.js';

export default defineCommand({
  description: 'Show the notes of this channel',
  run({ channelId }) {
    const notes = notesOf(channelId);
    if (notes.length === 0) return 'No notes yet. Add one: /note-add buy milk';
    const content = notes.map((text, index) => `${index + 1}. ${text}`).join('\n');
    // A long list continues in follow-up messages.
    return { content, split: true };
  },
});
