// Runs for every message in a channel the bot can see, its own messages left out.
import { defineEvent } from 'virgule';

export default defineEvent('MESSAGE_CREATE', async ({ data, here }) => {
  if (data.content === 'ping') await here?.send('pong');
});
