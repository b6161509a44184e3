import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { settlesWithin, type Clock } from '@virgule/core/clock';
import type { Env } from '@virgule/runtime/process';
import { PACKAGE_FOLDER } from '../../package-folder.js';
import { EXIT_IN_USE } from '../in-use.js';
import { splitOutput } from './output-splitter.js';

export interface ForkOptions {
  /** The project's folder. */
  readonly root: string;
  readonly env: Env;
  /** Marks the entries of its log. */
  readonly key: string;
  readonly clock: Clock;
  /** The program, which speaks as `ipc.ts` says. @defaultValue the one that runs a bot */
  readonly entry?: string | undefined;
  /** The port on which a debugger can attach. @defaultValue none */
  readonly inspectPort?: number | undefined;
  /** A line the process wrote; `log` is `true` for an entry of its log. A line of more than 1 MiB comes in parts. */
  readonly onLine: (line: string, stream: 'stdout' | 'stderr', log?: true) => void;
}

/** The end of a process. */
export interface ChildEnd {
  readonly how: string;
  /** Whether it ended because another process has what it needs. */
  readonly isInUse: boolean;
}

const ENTRY = join(PACKAGE_FOLDER, 'dist/process/dev-child.js');

/** In MiB. Loading fills the usual 16 several times, and V8 keeps them: 10 MB of memory for no time that could be measured. */
const SMALL_YOUNG_GENERATION = ['--max-semi-space-size=2'];

/**
 * For the compiler, which the child starts before it takes over the environment of the bot: its heap of 18 to 37 MB stays
 * below 20.
 */
const SMALL_COMPILER = { GOGC: '25' };

/** How long the last lines of a process that ended may take to arrive. */
const LAST_LINES_MS = 500;

/**
 * Starts a process for a bot's code. It loads what every bot needs, and waits for `begin`. `ended` resolves after the
 * last line of its output.
 */
export function forkChild(options: ForkOptions) {
  const { root, env, key, clock, entry = ENTRY, inspectPort, onLine } = options;
  const child = fork(entry, {
    cwd: root,
    env: { ...SMALL_COMPILER, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv:
      inspectPort === undefined
        ? [...process.execArgv, ...SMALL_YOUNG_GENERATION]
        : [`--inspect=127.0.0.1:${inspectPort}`],
  });
  const kill = (): void => void child.kill('SIGKILL');
  // A process whose code runs in circles does not notice that this one is gone.
  process.once('exit', kill);
  const streams = ['stdout', 'stderr'] as const;
  const lines = streams.map((stream) =>
    splitOutput(child[stream], key, (line, log) => onLine(line, stream, log)),
  );

  async function untilEnd(): Promise<ChildEnd> {
    const end = await endOf(child, root);
    process.removeListener('exit', kill);
    // The lines say why it ended, so they come first. What it started itself may hold them open.
    await settlesWithin(Promise.all(lines), LAST_LINES_MS, clock);
    child.stdout?.destroy();
    child.stderr?.destroy();
    return end;
  }
  return { child, kill, ended: untilEnd() };
}

const endOf = (child: ChildProcess, root: string): Promise<ChildEnd> =>
  new Promise((resolve) => {
    child.once('error', ({ message }) => {
      const how = existsSync(root) ? message : `the folder ${root} does not exist`;
      resolve({ how, isInUse: false });
    });
    child.once('exit', (code, signal) => {
      const how = signal ? `killed by ${signal}` : `exit code ${code}`;
      resolve({ how, isInUse: code === EXIT_IN_USE });
    });
  });
