import { relative } from 'node:path';
import { buildBot } from '../../build/build-bot.js';
import { defineCliCommand } from '../command.js';
import { unlessInterrupted } from '../interrupted.js';

export const build = defineCliCommand({
  name: 'build',
  words: '',
  about: 'Bundle the bot into dist/bot.mjs, which runs with nothing but Node.js',
  flags: {
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  examples: ['virgule build', 'node dist/bot.mjs'],
  async run({ flags }, io) {
    const { file, bytes, commands, events, external } = await unlessInterrupted(
      io.interrupt,
      buildBot({ root: io.cwd }),
    );
    const path = relative(io.cwd, file);
    if (flags.json) {
      io.stdout.write(
        `${JSON.stringify({ v: 1, file: path, bytes, commands, events, external })}\n`,
      );
      return 0;
    }
    io.stdout.write(
      `${path}  ${(bytes / 1024).toFixed(0)} kB, ${commands} commands, ${events} event handlers\n`,
    );
    if (external.length > 0) {
      io.stdout.write(`Not bundled, install beside it: ${external.join(', ')} (native code)\n`);
    }
    return 0;
  },
});
