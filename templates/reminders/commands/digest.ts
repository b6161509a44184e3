import { defineCommand } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Get the reminders of the day every morning, or stop it',
  options: z.object({ state: z.enum(['on', 'off']).describe('On or off') }),
  async run({ options, storage, channelId }) {
    const channels = storage.namespace('digest');
    if (options.state === 'off') {
      await channels.delete(channelId);
      return 'There will be no digest here.';
    }
    await channels.set(channelId, true);
    return 'The reminders of the day will be here at 8:00 UTC.';
  },
});
