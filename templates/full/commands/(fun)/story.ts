// commands/(fun)/story.ts -> /story a dragon
import { defineCommand } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Write a story, word by word',
  options: z.object({ topic: z.string().default('a dragon').describe('The topic of the story') }),
  concurrency: { max: 3, per: 'channel', when: 'reject' },
  async run({ options, append, services }) {
    await append(services.storyteller.write(options.topic));
  },
});
