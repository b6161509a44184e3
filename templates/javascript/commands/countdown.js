// commands/countdown.js -> /countdown, /countdown 5
import { defineCommand } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Count down to lift-off',
  options: z.object({
    from: z.int().min(1).max(10).default(3).describe('Where to start'),
  }),
  async *run({ options, clock }) {
    // No answer for two seconds: Virgule shows the thinking state automatically.
    await clock.sleep('2s');
    for (let left = options.from; left > 0; left -= 1) {
      yield `${left}…`; // Each value replaces the text of the answer.
      await clock.sleep('1s');
    }
    return 'Lift-off! 🚀';
  },
});
