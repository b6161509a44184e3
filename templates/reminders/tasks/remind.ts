import { defineTask } from 'virgule';
import * as z from 'zod';

const remind = defineTask({
  payload: z.object({ channelId: z.string(), text: z.string() }),
  run: ({ payload, channel }) => channel(payload.channelId).send(`⏰ ${payload.text}`),
});
export default remind;

declare module 'virgule' {
  interface Tasks {
    remind: typeof remind;
  }
}
