// A second handler of the same event: `!keep buy milk` is another way to add a note.
import { defineEvent } from 'virgule';

export default defineEvent('MESSAGE_CREATE', async ({ data, here, services }) => {
  const text = data.content?.startsWith('!keep ') ? data.content.slice('!keep '.length).trim() : '';
  if (here && text !== '') await here.send(`Note ${services.notes.add(here.id, text)} is kept.`);
});
