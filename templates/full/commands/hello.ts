// commands/hello.ts -> /hello
import { defineCommand } from 'virgule';

export default defineCommand({
  description: 'Say hello',
  run: ({ env }) => `${env.GREETING}! 👋`,
});
