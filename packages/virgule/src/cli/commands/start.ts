import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { EXIT_UNUSABLE, readEnv } from '@virgule/runtime/process';
import { runtimeErrors } from '@virgule/runtime/project';
import { isVirguleError } from '@virgule/core/errors';
import { readBuiltManifest } from '../../build/built-manifest.js';
import { cliErrors } from '../cli-errors.js';
import { defineCliCommand } from '../command.js';
import type { Io } from '../io.js';

export const start = defineCliCommand({
  name: 'start',
  words: '',
  about: 'Run the built bot: node --enable-source-maps dist/bot.mjs',
  flags: {
    sync: { type: 'boolean', about: 'Register the commands first, without deleting any' },
    'allow-delete': {
      type: 'names',
      value: '[=NAMES]',
      about: 'Let --sync delete commands without a file, or only these',
    },
    'health-port': {
      type: 'port',
      value: 'N',
      about: 'Serve /healthz, /readyz and /metrics on this port',
    },
    'health-host': {
      type: 'string',
      value: 'ADDRESS',
      about: 'Serve them at this address instead of 127.0.0.1',
    },
  },
  examples: ['virgule start', 'virgule start --sync', 'virgule start --health-port 9090'],
  exits: {
    0: 'stopped by SIGTERM or Ctrl+C',
    1: 'failed; a restart may help',
    [EXIT_UNUSABLE]:
      'a restart does not help: a setting or the build is missing or invalid, or the token was rejected',
  },
  failure: EXIT_UNUSABLE,
  async run({ flags }, io) {
    const file = join('dist', 'bot.mjs');
    if (!existsSync(join(io.cwd, file))) throw cliErrors.E_BUILD_MISSING({ file });
    // Checked here too, so that a missing token is told before a process is started. The addresses may
    // stand in the configuration, which is part of the built bot.
    const { BOT_TOKEN: token } = readEnv(io.cwd, 'production', io.env);
    if (!token) throw runtimeErrors.E_TOKEN_MISSING({});
    await warnIfStale(io);
    const child = spawn(process.execPath, ['--enable-source-maps', file, ...passedOn(flags)], {
      cwd: io.cwd,
      env: { ...io.env },
      stdio: 'inherit',
    });
    const forward = (): void => {
      // A terminal gives Ctrl+C to the child as well, and a second signal would cut the drain short.
      if (!(io.terminal && io.interrupt.reason === 'SIGINT')) child.kill('SIGTERM');
    };
    if (io.interrupt.aborted) forward();
    else io.interrupt.addEventListener('abort', forward, { once: true });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) =>
        resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']),
      );
    });
  },
});

/** Warns about a build that is older than the sources next to it. Without sources, or a manifest, it is silent. */
async function warnIfStale({ cwd, stderr }: Io): Promise<void> {
  await readBuiltManifest(cwd).catch((error: unknown) => {
    if (isVirguleError(error, 'E_BUILD_STALE'))
      stderr.write(`! ${error.message} Run \`virgule build\` to update it.\n`);
  });
}

interface StartFlags {
  readonly sync?: boolean;
  readonly 'allow-delete'?: true | readonly string[];
  readonly 'health-port'?: number;
  readonly 'health-host'?: string;
}

/** The flags as the built bot takes them. */
function passedOn(flags: StartFlags): string[] {
  const { sync, 'allow-delete': allowed, 'health-port': port, 'health-host': host } = flags;
  return [
    ...(sync ? ['--sync'] : []),
    ...(allowed === true ? ['--allow-delete'] : []),
    ...(allowed && allowed !== true ? [`--allow-delete=${allowed.join(',')}`] : []),
    ...(port === undefined ? [] : [`--health-port=${port}`]),
    ...(host === undefined ? [] : [`--health-host=${host}`]),
  ];
}
