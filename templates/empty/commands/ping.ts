// commands/ping.ts -> /ping
import { defineCommand } from 'virgule';

export default defineCommand({
  description: 'Check that the bot responds',
  run: () => 'pong',
});
