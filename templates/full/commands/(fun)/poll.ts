// commands/(fun)/poll.ts -> /poll "Lunch?" 5m
import { defineCommand, option } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Ask the channel to vote with 👍 or 👎',
  options: z.object({
    question: z.string().min(1).max(200).describe('What to ask'),
    within: option.duration().default('1m').describe('How long people can vote'),
  }),
  // The platform delivers reactions only to bots that subscribe to them.
  intents: ['MESSAGE_REACTIONS'],
  async run({ options, reply, reactions }) {
    const ask = await reply(`**${options.question}**\nVote with 👍 or 👎.`);
    await ask.react('👍');
    await ask.react('👎');

    const votes = new Map<string, string>();
    for await (const { userId, emoji } of reactions(ask, { within: options.within })) {
      const vote = emoji.unicodeEmoji;
      if (vote === '👍' || vote === '👎') votes.set(userId, vote);
    }
    const count = (emoji: string) => [...votes.values()].filter((vote) => vote === emoji).length;
    await ask.edit(`**${options.question}**\n👍 ${count('👍')}   👎 ${count('👎')}`);
  },
});
