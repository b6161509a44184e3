import { CHAOS_FLAGS } from '../chaos/chaos-flags.js';
import { invalidWords } from '../terminal/invalid-arguments.js';
import { defineCliCommand } from '../terminal/command.js';

export const chaos = defineCliCommand({
  name: 'chaos',
  words: '["/line"…]',
  about: 'Break the platform under each command, or lines, and show if users notice',
  flags: CHAOS_FLAGS,
  examples: ['virgule chaos', 'virgule chaos "/roll 20" --only "bad day" --seed 7'],
  exits: { 0: 'users see the same as without faults', 1: 'they do not' },
  async run({ flags, words }, io) {
    if (words.some((line) => !line.startsWith('/')))
      throw invalidWords('chaos', 'lines in quotes, such as "/roll 20"', words);
    const { scoreBot } = await import('../chaos/score-bot.js');
    return scoreBot(words, flags, io);
  },
});
