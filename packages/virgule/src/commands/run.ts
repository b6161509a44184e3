import { defineCliCommand } from '../terminal/command.js';

export const run = defineCliCommand({
  name: 'run',
  words: '"/line"',
  about: 'Run one line, or a conversation file, on a private simulator',
  flags: { json: { type: 'boolean', about: 'Print one JSON object' } },
  exits: { 0: 'ran', 1: 'failed, not answered, or the input could not be read' },
  examples: [
    'virgule run "/hello"',
    'virgule run "/roll 20" --json',
    "virgule run '!daily'",
    'virgule run conversations/remind.txt',
  ],
  endsAtSignals: true,
  run: async ({ flags, words }, io) =>
    (await import('../testing/run-line.js')).runLine(words, flags, io),
});
