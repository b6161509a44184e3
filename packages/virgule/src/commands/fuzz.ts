import { invalidWords } from '../terminal/invalid-arguments.js';
import { defineCliCommand } from '../terminal/command.js';

export const fuzz = defineCliCommand({
  name: 'fuzz',
  words: '["/line"…]',
  about: 'Run generated lines of each command, or given lines, and show failures',
  flags: {
    faults: {
      type: 'string',
      bare: 'all',
      value: 'FILE',
      about:
        'Break the platform too: in all ways, in one such as "slow API", or by the rules of a file',
    },
    seed: { type: 'string', value: 'N', about: 'Seed of an earlier run, to repeat its lines' },
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  examples: ['virgule fuzz', 'virgule fuzz --seed 7', 'virgule fuzz "/roll 20" --faults "bad day"'],
  exits: { 0: 'nothing was found', 1: 'something was found' },
  async run({ flags, words }, io) {
    if (words.includes(''))
      throw invalidWords('fuzz', 'lines in quotes, such as "/roll 20"', words);
    const { fuzzBot } = await import('../fuzz/fuzz-bot.js');
    return fuzzBot(words, flags, io);
  },
});
