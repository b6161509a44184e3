// commands/roll.js -> /roll, /roll 20, /roll 20 3
import { defineCommand } from 'virgule';
import * as z from 'zod';

// With `defineCommand`, your editor infers that `options.sides` is a number.
export default defineCommand({
  description: 'Roll some dice',
  options: z.object({
    sides: z.int().min(2).max(1000).default(6).describe('Faces on each die'),
    count: z.int().min(1).max(20).default(1).describe('How many dice'),
  }),
  run: ({ options, random }) =>
    Array.from({ length: options.count }, () => 1 + Math.floor(random() * options.sides)).join(
      ' + ',
    ),
});
