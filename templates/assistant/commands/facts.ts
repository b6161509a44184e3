// commands/facts.ts -> /facts
import { defineCommand } from 'virgule';

export default defineCommand({
  description: 'List the facts of this server',
  tool: 'reads',
  async run({ storage, serverId }) {
    const facts = (await storage.forServer(serverId).get<string[]>('facts')) ?? [];
    const content = facts.map((fact) => `- ${fact}`).join('\n') || 'I know no facts yet.';
    // Notifies no user whom a fact mentions.
    return { content: content.replaceAll('@', '@\u200B'), split: true };
  },
});
