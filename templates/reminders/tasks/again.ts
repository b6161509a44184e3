import { defineTask } from 'virgule';
import * as z from 'zod';

/** Asks under each reminder whether it is done: ✅, or once more in an hour: ❌. */
export default defineTask({
  waits: 'confirm',
  payload: z.object({ channelId: z.string(), text: z.string() }),
  async run({ answer, payload, tasks }) {
    // No one has answered within a day.
    if (answer.yes || answer.userId === undefined) return null;
    await tasks.remind.in('1h', payload);
    return 'Again in an hour.';
  },
});
