// A second handler for the same event: `!keep buy milk` also adds a note.
import { defineEvent } from 'virgule';

export default defineEvent('MESSAGE_CREATE', async ({ data, here, services }) => {
  const text = data.content?.startsWith('!keep ') ? data.content.slice('!keep '.length).trim() : '';
  if (here && text !== '') await here.send(`Added note ${services.notes.add(here.id, text)}.`);
});
