// commands/remember.ts -> /remember tea is at four
import { defineCommand, UserError } from 'virgule';
import * as z from 'zod';

const MAX_FACTS = 50;

export default defineCommand({
  description: 'Remember a fact for everyone in this server',
  // The model may call it: the worst result is a wrong fact, which a user can forget.
  tool: 'writes',
  options: z.object({ fact: z.string().max(200).describe('A short sentence') }),
  async run({ options: { fact }, storage, serverId }) {
    await storage.forServer(serverId).update<string[]>('facts', (facts = []) => {
      if (facts.length >= MAX_FACTS) throw new UserError(`I know ${MAX_FACTS} facts already.`);
      return [...facts.filter((known) => known !== fact), fact];
    });
    // Without the zero-width space, the answer would notify all members whom a fact mentions.
    return `Remembered: ${fact}`.replaceAll('@', '@\u200B');
  },
});
