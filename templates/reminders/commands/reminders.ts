import { defineCommand } from 'virgule';
import { remindersOf } from '../lib/reminders-of.js';

export default defineCommand({
  description: 'List the reminders of this channel',
  async run({ tasks, channelId }) {
    const reminders = await remindersOf(channelId, tasks);
    if (reminders.length === 0) return 'There are no reminders in this channel.';
    const lines = reminders.map(
      ({ at, payload }, index) => `${index + 1}. ${at.toUTCString()}: ${payload.text}`,
    );
    return { content: lines.join('\n'), split: true };
  },
});
