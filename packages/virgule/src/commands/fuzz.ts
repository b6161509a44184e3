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
  endsAtSignals: true,
  run: async ({ flags, words }, io) =>
    (await import('../fuzz/fuzz-bot.js')).fuzzBot(words, flags, io),
});
