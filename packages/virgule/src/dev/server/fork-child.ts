import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { settlesWithin, type Clock } from '@virgule/core/clock';
import type { Env } from '@virgule/runtime/project';
import { PACKAGE_FOLDER } from '../../package-folder.js';
import { EXIT_IN_USE } from '../in-use.js';

export interface ForkOptions {
  /** Folder of the project. */
  readonly root: string;
  readonly env: Env;
  /** Marks log entries of the process. */
  readonly key: string;
  readonly clock: Clock;
  /** Program of the child, which uses the messages of `ipc.ts`. @defaultValue the program that runs a bot */
  readonly entry?: string | undefined;
  /** Port on which a debugger can attach. @defaultValue none */
  readonly inspectPort?: number | undefined;
  /** Receives a line of the process's output; `log` is `true` for a log entry. A line of more than 1 MiB is split. */
  readonly onLine: (line: string, stream: 'stdout' | 'stderr', log?: true) => void;
}

/** End of a process. */
export interface ChildEnd {
  readonly how: string;
  /** True if the process ended because another process holds a needed resource. */
  readonly isInUse: boolean;
}

const ENTRY = join(PACKAGE_FOLDER, 'dist/process/dev-child.js');

/**
 * Size of V8's semi-spaces in MiB, 16 by default. 2 would save 5 MB more, and cost 2 ms of CPU per save of a helper that 100
 * commands import.
 */
const SMALL_YOUNG_GENERATION = ['--max-semi-space-size=4'];

/** Memory limit of esbuild, which takes 280 MB for 5,000 files at once without it, and 20 MB for 1,000 files. */
const SMALL_COMPILER = { GOMEMLIMIT: '64MiB' };

/** Time limit in milliseconds for the last output of a process that has ended. */
const LAST_LINES_MS = 500;

/** Starts a process for a bot's code, which waits for `begin`. `ended` resolves after the last line of its output. */
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
  // A process in an endless loop does not notice the end of this process.
  process.once('exit', kill);
  const streams = ['stdout', 'stderr'] as const;
  const lines = streams.map((stream) =>
    splitOutput(child[stream], key, (line, log) => onLine(line, stream, log)),
  );

  async function untilEnd(): Promise<ChildEnd> {
    const end = await endOf(child, root);
    process.removeListener('exit', kill);
    // The last lines explain the end, so they are awaited. Processes started by the child may hold its output open.
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

/** Number of characters of an incomplete line that are kept until the line continues. */
const MAX_LENGTH = 2 ** 20;

/**
 * Creates a splitter of output into lines, which end with LF, CR LF or CR. A line without an end is passed on in
 * parts, so its length is unlimited. A log entry may follow output that has no line end.
 * @param key - marks the beginning of each log entry; printed output cannot contain the key by chance
 * @param onLine - `log` is `true` for a log entry, which is passed on without the key
 */
export function createOutputSplitter(
  key: string,
  onLine: (line: string, log?: true) => void,
  maxLength = MAX_LENGTH,
) {
  let rest = '';

  function pass(line: string): void {
    const at = line.indexOf(key);
    if (at < 0) return onLine(line);
    if (at > 0) onLine(line.slice(0, at));
    onLine(line.slice(at + key.length), true);
  }

  return {
    write(chunk: string): void {
      // An LF may follow a CR at the end.
      const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) pass(line);
      // A log entry is kept until it is complete.
      if (rest.length <= maxLength || rest.includes(key)) return;
      // The last characters may begin a key.
      const end = rest.length - key.length;
      onLine(rest.slice(0, end));
      rest = rest.slice(end);
    },
    /** Passes on the rest, which has no line end. */
    end(): void {
      if (rest !== '') pass(rest.replace(/\r$/, ''));
    },
  };
}

/** Splits an output stream of a process into lines, and resolves when the stream has closed. */
async function splitOutput(
  stream: Readable | null,
  key: string,
  onLine: (line: string, log?: true) => void,
): Promise<void> {
  if (!stream) return;
  const splitter = createOutputSplitter(key, onLine);
  stream.setEncoding('utf8').on('data', (chunk: string) => splitter.write(chunk));
  await once(stream, 'close');
  splitter.end();
}

/**
 * Adds the colors of this terminal to the environment of a child, whose output is a pipe. Variables of the user win.
 */
export function withColor(env: Env, hasColor: boolean): Env {
  const isSet = env['FORCE_COLOR'] !== undefined || env['NO_COLOR'] !== undefined;
  if (!hasColor || isSet) return env;
  const isTrueColor = ['truecolor', '24bit'].includes(env['COLORTERM'] ?? '');
  const has256 = env['TERM']?.includes('256color') ?? false;
  return { ...env, FORCE_COLOR: isTrueColor ? '3' : has256 ? '2' : '1' };
}
