// commands/admin/announce.ts -> /admin-announce #general We are back.
import { defineCommand, option } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Say something in another channel',
  options: z.object({
    where: option.channel().describe('The channel'),
    text: z.string().min(1).describe('What to say'),
  }),
  async run({ options, channel }) {
    await channel(options.where.id).send(options.text);
    return `Sent to ${String(options.where)}.`;
  },
});
