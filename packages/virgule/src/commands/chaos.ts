import { scoreBot } from '../chaos/score-bot.js';
import { defineCliCommand } from '../terminal/command.js';

export const chaos = defineCliCommand({
  name: 'chaos',
  words: '',
  about: 'Break the platform on purpose, and show whether users notice',
  flags: {
    line: {
      type: 'string',
      value: '"/line"',
      about: 'Type this line only (default: every command with sample options)',
    },
    only: { type: 'string', value: 'NAME', about: 'Try these faults only, such as "slow API"' },
    faults: { type: 'string', value: 'FILE', about: 'Try the faults of a file' },
    seed: { type: 'string', value: 'TEXT', about: 'What decides by chance (default: 1)' },
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  examples: ['virgule chaos', 'virgule chaos --line "/roll 20" --only "bad day" --seed 7'],
  exits: { 0: 'users see the same as without faults', 1: 'they do not' },
  run: ({ flags }, io) => scoreBot(flags, io),
});
