import { defineTask } from 'virgule';
import * as z from 'zod';

export default defineTask({
  payload: z.object({ channelId: z.string(), text: z.string() }),
  run: ({ payload, channel }) => channel(payload.channelId).send(`⏰ ${payload.text}`),
});
