import { CHAOS_FLAGS, scoreBot } from '../chaos/score-bot.js';
import { defineCliCommand } from '../terminal/command.js';

export const chaos = defineCliCommand({
  name: 'chaos',
  words: '',
  about: 'Break the platform on purpose, and show whether users notice',
  flags: CHAOS_FLAGS,
  examples: ['virgule chaos', 'virgule chaos --line "/roll 20" --only "bad day" --seed 7'],
  exits: { 0: 'users see the same as without faults', 1: 'they do not' },
  run: ({ flags }, io) => scoreBot(flags, io),
});
