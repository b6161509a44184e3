import { defineCliCommand } from '../terminal/command.js';

const KINDS = ['command', 'event', 'task'] as const;

export const newFile = defineCliCommand({
  name: 'new',
  words: 'KIND NAME',
  about: 'Create the file of a command, an event or a task',
  flags: { json: { type: 'boolean', about: 'Print one JSON object' } },
  examples: [
    'virgule new command admin/ban',
    'virgule new event message-create',
    'virgule new task digest',
  ],
  exits: { 0: 'created', 1: 'an error; nothing was created' },
  async run({ flags, words }, io) {
    const [first, name, ...others] = words;
    const kind = KINDS.find((known) => known === first);
    if (kind === undefined || name === undefined || others.length > 0) {
      const want =
        'a kind and a name, such as `command admin/ban`, `event message-create` or `task digest`';
      const { invalidWords } = await import('../terminal/invalid-arguments.js');
      throw invalidWords('new', want, words, KINDS);
    }
    const { createNewFile } = await import('../new/new-file.js');
    const { file, makes } = await createNewFile(kind, name, io);
    io.stdout.write(
      flags.json ? `${JSON.stringify({ v: 1, kind, file, name: makes })}\n` : `${file}  ${makes}\n`,
    );
    return 0;
  },
});
