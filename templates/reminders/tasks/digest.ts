import { defineTask } from 'virgule';
import { remindersOf } from '../lib/reminders-of.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

export default defineTask({
  cron: '0 8 * * *',
  // After a longer break, the next morning is soon enough.
  maxLate: '1h',
  async run({ storage, tasks, channel, clock }) {
    // With more than 1,000 channels, read the channels in pages, with the option `after`.
    for (const { key: channelId } of await storage.namespace('digest').list('', { limit: 1_000 })) {
      const today = (await remindersOf(channelId, tasks)).filter(
        ({ at }) => at.getTime() < clock.now() + DAY_MS,
      );
      const lines = today.map(({ at, payload }) => `- ${at.toUTCString()}: ${payload.text}`);
      if (lines.length > 0)
        await channel(channelId).send({ content: `Today:\n${lines.join('\n')}`, split: true });
    }
  },
});
