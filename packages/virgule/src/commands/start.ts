import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { envFilesRead, EXIT_UNUSABLE, readEnv } from '@virgule/runtime/process';
import { runtimeErrors } from '@virgule/runtime/project';
import { isVirguleError } from '@virgule/core/errors';
import { systemClock } from '@virgule/core/clock';
import { checkCopied, readBuiltManifest } from '../build/built-manifest.js';
import { BUILT_BOT, runBuilt } from '../build/run-built.js';
import { parentWith } from '../project/parent-folder.js';
import { cliErrors } from '../terminal/cli-errors.js';
import { defineCliCommand } from '../terminal/command.js';
import { MODE_FLAG } from '../terminal/help.js';
import type { Io } from '../terminal/io.js';
import { createLogText } from '../terminal/log-text.js';

export const start = defineCliCommand({
  name: 'start',
  words: '',
  about: 'Run the built bot: node --enable-source-maps dist/bot.mjs',
  flags: {
    ...MODE_FLAG,
    sync: { type: 'boolean', about: 'Register the commands first, without deleting any' },
    'allow-delete': {
      type: 'names',
      value: '[=NAMES]',
      about: 'Let --sync delete commands without a file, or only these',
    },
    role: {
      type: 'string',
      value: 'ROLE',
      about: 'With `scale` in the configuration: gateway, worker or all',
    },
    wait: { type: 'boolean', about: 'With `scale`: wait for Redis if it cannot be reached' },
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
    json: { type: 'boolean', about: 'Print the log as JSON on a terminal as well' },
  },
  examples: [
    'virgule start',
    'virgule start --mode staging',
    'virgule start --sync',
    'virgule start --role worker',
    'virgule start --health-port 9090',
  ],
  exits: {
    0: 'stopped by SIGTERM or Ctrl+C',
    1: 'failed; a restart may help',
    [EXIT_UNUSABLE]:
      'a restart does not help: a setting or the build is missing or invalid, or the token was rejected',
  },
  failure: EXIT_UNUSABLE,
  async run({ flags }, io) {
    assertBuilt(io);
    // Checked here too, so that a missing token is reported before a process is started. The addresses may
    // be in the configuration, which is part of the built bot.
    const { mode = 'production' } = flags;
    const { BOT_TOKEN: token } = readEnv(io.cwd, mode, io.env);
    if (!token) throw runtimeErrors.E_TOKEN_MISSING({ mode, files: envFilesRead(io.cwd, mode) });
    await warnIfStale(io);
    // Machines read the output elsewhere: there it stays as it is.
    const toText = createLogText({ color: io.color, now: () => systemClock.now() });
    const isShown = Number.isFinite(io.columns) && !flags.json;
    return runBuilt({
      root: io.cwd,
      args: passedOn(flags),
      env: isShown && io.color ? { FORCE_COLOR: '1', ...io.env } : io.env,
      interrupt: io.interrupt,
      terminal: io.terminal,
      onLine: isShown ? (line) => void io.stdout.write(toText(line)) : undefined,
    });
  },
});

/**
 * Makes sure that there is a built bot, and that it can be run here.
 *
 * @throws VirguleError `E_BUILD_MISSING`, or `E_RUNTIME` in a folder that Node.js cannot import files from.
 */
export function assertBuilt({ cwd }: Io): void {
  if (!existsSync(join(cwd, BUILT_BOT)))
    throw cliErrors.E_BUILD_MISSING({ file: BUILT_BOT, parent: parentWith(cwd, [BUILT_BOT]) });
  if (sep === '/' && cwd.includes('\\'))
    throw cliErrors.E_RUNTIME({
      reason: `Node.js imports no files from a path with a backslash, ${cwd}`,
      advice: 'Rename that folder, or copy dist/ to another one and run `node dist/bot.mjs` there.',
    });
}

/**
 * Warns about a build that is older than the sources next to it or the files that it copied, or whose manifest is damaged.
 * Without sources, or a manifest, it is silent.
 */
export async function warnIfStale({ cwd, stderr }: Io): Promise<void> {
  try {
    await checkCopied(cwd, await readBuiltManifest(cwd));
  } catch (error) {
    if (isVirguleError(error, 'E_BUILD_STALE') || isVirguleError(error, 'E_MANIFEST_INVALID'))
      stderr.write(`! ${error.message} Run \`virgule build\` to update it.\n`);
  }
}

interface StartFlags {
  readonly mode?: string;
  readonly sync?: boolean;
  readonly 'allow-delete'?: true | readonly string[];
  readonly role?: string;
  readonly wait?: boolean;
  readonly 'health-port'?: number;
  readonly 'health-host'?: string;
}

/** Returns the flags as the built bot takes them. */
function passedOn(flags: StartFlags): string[] {
  const {
    mode,
    sync,
    role,
    wait,
    'allow-delete': allowed,
    'health-port': port,
    'health-host': host,
  } = flags;
  return [
    ...(mode === undefined ? [] : [`--mode=${mode}`]),
    ...(sync ? ['--sync'] : []),
    ...(allowed === true ? ['--allow-delete'] : []),
    ...(allowed && allowed !== true ? [`--allow-delete=${allowed.join(',')}`] : []),
    ...(role === undefined ? [] : [`--role=${role}`]),
    ...(wait ? ['--wait'] : []),
    ...(port === undefined ? [] : [`--health-port=${port}`]),
    ...(host === undefined ? [] : [`--health-host=${host}`]),
  ];
}
