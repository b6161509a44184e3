import { defineConfig } from 'virgule';
import * as z from 'zod';

export default defineConfig({
  // Read from the environment and from .env files, and validated before the bot starts.
  env: z.object({
    GREETING: z.string().default('Hello'),
    // Without it, the commands in commands/admin/ run nowhere.
    ADMIN_SERVER_ID: z.guid().optional(),
  }),
});
