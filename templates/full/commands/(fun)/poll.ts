// commands/(fun)/poll.ts -> /poll --within 5m Shall we eat?
import { defineCommand, option } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Ask the channel to vote with 👍 or 👎',
  options: z.object({
    question: z.string().min(1).max(200).describe('What to ask'),
    within: option
      .duration({ min: '1s', max: '30d' })
      .default('1m')
      .describe('How long to vote')
      .meta({ named: true }),
  }),
  async run({ options: { question, within }, reply, tasks }) {
    const sent = await reply(`**${question}**\nVote with 👍 or 👎.`);
    await tasks.poll.ask(sent, { question }, { within, choices: ['👍', '👎'] });
  },
});
