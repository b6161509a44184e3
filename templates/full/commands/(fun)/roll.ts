// commands/(fun)/roll.ts -> /roll: a folder in parentheses does not change the name
import { defineCommand, UserError } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Roll some dice',
  options: z.object({
    sides: z.int().min(2).max(1000).default(6).describe('Faces on each die'),
    count: z.int().min(1).max(100).default(1).describe('How many dice'),
  }),
  cooldown: '1s',
  run({ options: { sides, count }, random }) {
    if (sides * count > 10_000)
      throw new UserError(`${count} dice of ${sides} faces are more than I can do.`);
    return Array.from({ length: count }, () => 1 + Math.floor(random() * sides)).join(' + ');
  },
});
