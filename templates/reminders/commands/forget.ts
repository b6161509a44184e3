import { defineCommand, UserError } from 'virgule';
import * as z from 'zod';
import { remindersOf } from '../lib/reminders-of.js';

export default defineCommand({
  description: 'Cancel a reminder',
  options: z.object({ number: z.int().min(1).describe('Its number in /reminders') }),
  async run({ options, tasks, channelId }) {
    const reminder = (await remindersOf(channelId, tasks))[options.number - 1];
    if (!reminder) throw new UserError(`There is no reminder ${options.number}.`);
    const wasPending = await tasks.remind.cancel(reminder.id);
    return wasPending ? `Canceled: ${reminder.payload.text}` : 'It is being sent right now.';
  },
});
