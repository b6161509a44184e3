// commands/note/index.js -> /note
import { defineCommand } from 'virgule';
import { notesOf } from './_notes.js';

export default defineCommand({
  description: 'Show the notes of this channel',
  run({ channelId }) {
    const notes = notesOf(channelId);
    if (notes.length === 0) return 'No notes yet. Add one: /note-add buy milk';
    return notes.map((text, index) => `${index + 1}. ${text}`).join('\n');
  },
});
