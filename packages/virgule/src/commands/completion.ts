import { invalidWords } from '../terminal/invalid-arguments.js';
import { defineCliCommand } from '../terminal/command.js';
import { completionScript } from '../terminal/completion-script.js';

export const completion = defineCliCommand({
  name: 'completion',
  words: 'SHELL',
  about: 'Print the completion script of bash',
  flags: {},
  examples: ['virgule completion bash >> ~/.bashrc'],
  async run({ words }, io) {
    if (words.length !== 1 || words[0] !== 'bash') throw invalidWords('completion', 'bash', words);
    // Imported here, because the table of commands imports this module.
    const { CLI_COMMANDS } = await import('./command-line.js');
    const commands = await Promise.all(Object.values(CLI_COMMANDS).map((load) => load()));
    io.stdout.write(await completionScript(commands));
    return 0;
  },
});
