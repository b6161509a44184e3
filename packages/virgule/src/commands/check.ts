import { defineCliCommand } from '../terminal/command.js';

export const check = defineCliCommand({
  name: 'check',
  words: '',
  about: 'Check the project without starting it',
  flags: {
    routes: {
      type: 'boolean',
      about: 'List commands, events and tasks with their files, usage, middleware and settings',
    },
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  exits: { 0: 'no errors; there may be warnings', 1: 'errors' },
  examples: ['virgule check', 'virgule check --routes', 'virgule check --json'],
  endsAtSignals: true,
  run: async ({ flags }, io) => (await import('../project/print-check.js')).printCheck(flags, io),
});
