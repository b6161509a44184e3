import { defineConfig } from 'virgule';
import * as z from 'zod';

const config = defineConfig({
  env: z.object({
    DATABASE_URL: z.url(),
    PORT: z.coerce.number().default(80),
    VERBOSE: z.stringbool().optional(),
  }),
  separator: '_',
});
export default config;

declare module 'virgule' {
  interface Register {
    config: typeof config;
  }
}
