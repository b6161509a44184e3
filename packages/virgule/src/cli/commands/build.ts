import { relative } from 'node:path';
import { draftBuild } from '../../build/build-bot.js';
import { defineCliCommand } from '../command.js';
import { unlessInterrupted } from '../interrupted.js';
import { readableIoEnv } from '../read-io-env.js';

export const build = defineCliCommand({
  name: 'build',
  words: '',
  about: 'Bundle the bot into dist/bot.mjs, which runs with nothing but Node.js',
  flags: {
    'no-types': { type: 'boolean', about: 'Do not check types first' },
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  examples: ['virgule build', 'virgule build --no-types', 'node dist/bot.mjs'],
  exits: { 0: 'built', 1: 'an error; an earlier build stays as it was' },
  async run({ flags }, io) {
    const signal = io.interrupt;
    const draft = await unlessInterrupted(
      signal,
      draftBuild({
        root: io.cwd,
        types: flags['no-types'] !== true,
        env: readableIoEnv(io, 'production'),
        redact: io.redact,
        signal,
      }),
    );
    // Ctrl+C does not cut this off: it is over in a moment, and half of it would be no build.
    const { file, types, ...built } = await draft.commit();
    const path = relative(io.cwd, file);
    if (types === 'typescript is not installed' || types === 'there is no tsconfig.json') {
      io.stderr.write(`Types were not checked: ${types}.\n`);
    }
    if (flags.json) {
      io.stdout.write(`${JSON.stringify({ v: 1, file: path, ...built, types })}\n`);
      return 0;
    }
    const { bytes, commands, events, assets, external, wholeZod } = built;
    io.stdout.write(
      `${path}  ${(bytes / 1024).toFixed(0)} kB, ${commands} commands, ${events} event handlers\n`,
    );
    if (assets.length > 0) io.stdout.write(`dist/assets  ${assets.length} files\n`);
    if (external.length > 0) {
      io.stdout.write(`Not bundled, install beside it: ${external.join(', ')} (native code)\n`);
    }
    if (wholeZod) {
      io.stdout.write(
        "All fifty languages of zod are in it, 8 MB of memory: write import * as z from 'zod' in place of import { z }.\n",
      );
    }
    return 0;
  },
});
