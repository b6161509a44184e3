import { invalidWords } from '../terminal/invalid-arguments.js';
import { defineCliCommand } from '../terminal/command.js';
import { completionScript, SHELLS } from '../terminal/completion-script.js';

export const completion = defineCliCommand({
  name: 'completion',
  words: 'SHELL',
  about: 'Print the completion script of bash, zsh or fish',
  flags: {},
  examples: [
    'virgule completion bash >> ~/.bashrc',
    'virgule completion zsh > ~/.zfunc/_virgule',
    'virgule completion fish > ~/.config/fish/completions/virgule.fish',
  ],
  async run({ words }, io) {
    const [word, ...others] = words;
    const shell = SHELLS.find((known) => known === word);
    if (shell === undefined || others.length > 0)
      throw invalidWords('completion', SHELLS.join(', '), words);
    // Imported here, because the table of commands imports this module.
    const { CLI_COMMANDS } = await import('./command-line.js');
    const commands = await Promise.all(Object.values(CLI_COMMANDS).map((load) => load()));
    io.stdout.write(await completionScript(shell, commands));
    return 0;
  },
});
