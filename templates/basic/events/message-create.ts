// Runs for every message in channels that the bot can see, except the bot's own messages.
import { defineEvent } from 'virgule';

export default defineEvent('MESSAGE_CREATE', async ({ data, here }) => {
  if (data.content === 'ping') await here.send('pong');
});
