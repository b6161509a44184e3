import type { CommandContext } from 'virgule';
import * as z from 'zod';

export const description = 'Find a song';
export const options = z.object({ title: z.string() });

export default async (context: CommandContext<z.output<typeof options>>) => {
  const { title } = await context.services.songs.find(context.options.title);
  return `${title} ${context.env.PORT} ${context.locals.language}`;
};
