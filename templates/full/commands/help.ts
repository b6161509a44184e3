// commands/help.ts -> /help
import { defineCommand, formatHelp } from 'virgule';

export default defineCommand({
  description: 'Show what this bot can do',
  run: ({ commands }) => formatHelp(commands),
});
