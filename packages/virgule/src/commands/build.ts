import { defineCliCommand } from '../terminal/command.js';

export const build = defineCliCommand({
  name: 'build',
  words: '',
  about: 'Bundle the bot into dist/',
  flags: {
    'no-types': { type: 'boolean', about: 'Do not check types first' },
    'no-load': {
      type: 'boolean',
      about: 'Do not load the built bot in an empty folder afterwards',
    },
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  examples: ['virgule build', 'virgule build --no-types', 'node dist/bot.mjs'],
  exits: { 0: 'built', 1: 'an error; the previous build is unchanged' },
  run: async ({ flags }, io) => (await import('../build/print-build.js')).printBuild(flags, io),
});
