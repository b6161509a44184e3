import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../../package-folder.js';

/** The environment of a process. */
export type ChildEnv = Readonly<Record<string, string | undefined>>;

export interface ForkOptions {
  /** The project's folder. */
  readonly root: string;
  readonly env: ChildEnv;
  /** The program, which speaks as `messages.ts` says. @defaultValue the one that runs a bot */
  readonly entry?: string | undefined;
  /** The port on which a debugger can attach. @defaultValue none */
  readonly inspectPort?: number | undefined;
}

const ENTRY = join(PACKAGE_FOLDER, 'dist/process/dev-child.js');

/** In MiB. Loading fills the usual 16 several times, and V8 keeps them: 10 MB of memory for no time that could be measured. */
const SMALL_YOUNG_GENERATION = ['--max-semi-space-size=2'];

/**
 * For the compiler, which the child starts before it takes over the environment of the bot: its heap of 18 to 37 MB stays
 * below 20.
 */
const SMALL_COMPILER = { GOGC: '25' };

/** Starts a process for a bot's code. It loads what every bot needs, and waits for `begin`. */
export function forkChild({ root, env, entry = ENTRY, inspectPort }: ForkOptions): ChildProcess {
  return fork(entry, {
    cwd: root,
    env: { ...SMALL_COMPILER, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv:
      inspectPort === undefined
        ? [...process.execArgv, ...SMALL_YOUNG_GENERATION]
        : [`--inspect=127.0.0.1:${inspectPort}`],
  });
}
