// commands/forget.ts -> /forget tea is at four
import { defineCommand, UserError } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Forget a fact of this server',
  // A user who types /forget decides alone. When the model calls it, the author of the message has to agree.
  tool: { asks: 'author' },
  options: z.object({ fact: z.string().max(200).describe('The exact words of the fact') }),
  async run({ options: { fact }, storage, serverId }) {
    await storage.forServer(serverId).update<string[]>('facts', (facts = []) => {
      if (!facts.includes(fact)) throw new UserError('I do not know this fact. /facts lists all.');
      return facts.filter((known) => known !== fact);
    });
    // Notifies no user whom the fact mentions.
    return `Forgot: ${fact}`.replaceAll('@', '@\u200B');
  },
});
