import { defineTask } from 'virgule';
import * as z from 'zod';
import { remindersOf } from '../lib/reminders-of.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

export default defineTask({
  payload: z.object({ channelId: z.string() }),
  // After a longer break, the next morning is soon enough.
  maxLate: '1h',
  async run({ payload: { channelId }, tasks, channel, clock }) {
    const today = (await remindersOf(channelId, tasks)).filter(
      ({ at }) => at.getTime() < clock.now() + DAY_MS,
    );
    const lines = today.map(({ at, payload }) => `- ${at.toUTCString()}: ${payload.text}`);
    if (lines.length > 0)
      await channel(channelId).send({ content: `Today:\n${lines.join('\n')}`, split: true });
  },
});
