import { defineCommand, option } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Get the reminders of the day every morning, or stop it',
  options: z.object({
    state: z.enum(['on', 'off']).describe('On or off'),
    zone: option.timeZone().default('UTC').describe('Time zone, such as Europe/Berlin'),
  }),
  async run({ options: { state, zone }, tasks, channelId }) {
    if (state === 'off') {
      await tasks.digest.cancel(channelId);
      return 'There will be no digest here.';
    }
    // The key is the channel: another /digest on replaces the one before.
    const when = { key: channelId, timeZone: zone };
    const { at } = await tasks.digest.cron('0 8 * * *', { channelId }, when);
    return `The reminders of the day will be here at ${at.toUTCString()}, and every day.`;
  },
});
