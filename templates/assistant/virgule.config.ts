import { defineConfig } from 'virgule';
import * as z from 'zod';

export default defineConfig({
  // Read from the environment and from .env files.
  env: z.object({
    // Without it, the mock model answers.
    AI_GATEWAY_API_KEY: z.string().optional(),
  }),
});
