import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readEnv } from '@virgule/runtime/process';
import { runtimeErrors } from '@virgule/runtime/project';
import { cliErrors } from '../cli-errors.js';
import { defineCliCommand } from '../command.js';

export const start = defineCliCommand({
  name: 'start',
  words: '',
  about: 'Run the built bot: node --enable-source-maps dist/bot.mjs',
  flags: {
    sync: { type: 'boolean', about: 'Register the commands first; never deletes any' },
  },
  examples: ['virgule start', 'virgule start --sync'],
  async run({ flags }, io) {
    const file = join('dist', 'bot.mjs');
    if (!existsSync(join(io.cwd, file))) throw cliErrors.E_BUILD_MISSING({ file });
    // Checked here too, so that a missing token is told before a process is started. The addresses may
    // stand in the configuration, which is part of the built bot.
    const { BOT_TOKEN: token } = readEnv(io.cwd, 'production', io.env);
    if (!token) throw runtimeErrors.E_TOKEN_MISSING({});
    const child = spawn(
      process.execPath,
      ['--enable-source-maps', file, ...(flags.sync ? ['--sync'] : [])],
      {
        cwd: io.cwd,
        env: { ...io.env },
        stdio: 'inherit',
      },
    );
    const forward = (): void => {
      // A terminal gives Ctrl+C to the child as well, and a second signal would cut the drain short.
      if (!(io.terminal && io.interrupt.reason === 'SIGINT')) child.kill('SIGTERM');
    };
    if (io.interrupt.aborted) forward();
    else io.interrupt.addEventListener('abort', forward, { once: true });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    });
  },
});
