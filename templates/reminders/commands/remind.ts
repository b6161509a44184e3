import { defineCommand, option } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Remind this channel of something',
  options: z.object({
    in: option.duration({ min: '1s', max: '365d' }).describe('When: 90s, 2h, 1d'),
    text: z.string().max(1_000).describe('What'),
  }),
  async run({ options, tasks, channelId }) {
    const { at } = await tasks.remind.in(options.in, { channelId, text: options.text });
    return `I will remind you at ${at.toUTCString()}.`;
  },
});
