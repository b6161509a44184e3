import { invalidWords } from '../terminal/invalid-arguments.js';
import { defineCliCommand } from '../terminal/command.js';

export const run = defineCliCommand({
  name: 'run',
  words: '"/line"',
  about: 'Run one line, or a conversation file, on a private simulator',
  flags: {
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  exits: { 0: 'ran', 1: 'failed, not answered, or the input could not be read' },
  examples: [
    'virgule run "/hello"',
    'virgule run "/roll 20" --json',
    "virgule run '!daily'",
    'virgule run conversations/remind.txt',
  ],
  async run({ flags, words }, io) {
    const [line, ...others] = words;
    if (line === undefined || others.length > 0)
      throw invalidWords('run', 'one line in quotes, such as "/hello", or a file', words);
    const { runLine } = await import('../testing/run-line.js');
    return runLine(line, flags, io);
  },
});
