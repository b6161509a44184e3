import { defineCliCommand } from '../terminal/command.js';

export const sim = defineCliCommand({
  name: 'sim',
  words: 'ACTION',
  about: 'Act in the running `virgule dev`: as users, or on its world, clock and faults',
  flags: { json: { type: 'boolean', about: 'Print one JSON object' } },
  actions: async () => (await import('../sim/action-commands.js')).ACTION_COMMANDS,
  examples: [
    'virgule sim run "/roll 20"',
    'virgule sim say hi --as grace',
    'virgule sim react 🎉',
    'virgule sim event MESSAGE_CREATE',
    'virgule sim faults "rate limited"',
    'virgule sim clock skip 15m',
    'virgule sim say --help',
  ],
  exits: { 0: 'done', 1: 'refused, or no `virgule dev` is running in this folder' },
  async run({ words }) {
    throw (await import('../sim/action-commands.js')).unknownAction(words);
  },
});
