import { defineTask } from 'virgule';
import * as z from 'zod';

export default defineTask({
  payload: z.object({ channelId: z.string(), text: z.string() }),
  async run({ payload, channel, tasks }) {
    const sent = await channel(payload.channelId).send(`⏰ ${payload.text}`);
    // The question may be answered tomorrow, and by another process.
    await tasks.again.ask(sent, payload, { within: '1d' });
  },
});
