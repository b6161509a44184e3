import { planNewFile, writeNewFile } from '../../new/new-file.js';
import { cliErrors } from '../cli-errors.js';
import { defineCliCommand } from '../command.js';
import { readableIoEnv } from '../read-io-env.js';

export const newFile = defineCliCommand({
  name: 'new',
  words: 'KIND NAME',
  about: 'Create the file of a command or an event',
  flags: {
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  examples: ['virgule new command admin/ban', 'virgule new event message-create'],
  exits: { 0: 'created', 1: 'an error; nothing was created' },
  async run({ flags, words }, io) {
    const [kind, name, ...others] = words;
    if ((kind !== 'command' && kind !== 'event') || name === undefined || others.length > 0) {
      const want = 'a kind and a name, such as `command admin/ban` or `event message-create`';
      throw cliErrors.E_ARGUMENTS({ command: 'new', want, saw: words });
    }
    const env = readableIoEnv(io, 'development');
    const planned = await planNewFile({ root: io.cwd, kind, name, env, redact: io.redact });
    await writeNewFile(io.cwd, planned);
    const { file, makes } = planned;
    io.stdout.write(
      flags.json ? `${JSON.stringify({ v: 1, kind, file, name: makes })}\n` : `${file}  ${makes}\n`,
    );
    return 0;
  },
});
