import { defineCommand } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Find a song',
  options: z.object({ title: z.string() }),
  run: async ({ options, services, env, locals }) =>
    `${(await services.songs.find(options.title)).title} ${env.PORT} ${locals.language}`,
});
