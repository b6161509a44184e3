import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { settlesWithin, type Clock } from '@virgule/core/clock';
import type { Env } from '@virgule/runtime/process';
import { PACKAGE_FOLDER } from '../../package-folder.js';
import { EXIT_IN_USE } from '../in-use.js';

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

/** The longest part of a line that is kept until the rest of it comes, in characters. */
const MAX_LENGTH = 2 ** 20;

/**
 * Lines end with LF, CR LF or CR. A line that does not end is passed on in parts, so that it can be as long as it
 * likes. An entry may follow what was printed without a line end.
 *
 * @param key - begins each entry of the log; nothing that is printed can hold it by chance
 * @param onLine - `log` is `true` for an entry, which comes without the key
 */
export function createOutputSplitter(
  key: string,
  onLine: (line: string, log?: true) => void,
  maxLength = MAX_LENGTH,
) {
  let rest = '';
  /** Whether that is known to be the beginning of an entry, which is kept, since it comes as a whole. */
  let isEntry = false;
  /** A CR at the end of what came, which LF may follow. */
  let held = '';

  function pass(line: string): void {
    const at = line.indexOf(key);
    if (at < 0) return onLine(line);
    if (at > 0) onLine(line.slice(0, at));
    onLine(line.slice(at + key.length), true);
  }

  /** Passes on what is too long to be kept. */
  function cut(): void {
    if (rest.length <= maxLength || isEntry) return;
    isEntry = rest.includes(key);
    if (isEntry) return;
    // The last characters may be the beginning of a key.
    const end = rest.length - key.length;
    onLine(rest.slice(0, end));
    rest = rest.slice(end);
  }

  return {
    write(chunk: string): void {
      const text = held + chunk;
      held = text.endsWith('\r') ? '\r' : '';
      const lines = text.slice(0, text.length - held.length).split(/\r\n?|\n/);
      lines[0] = rest + lines[0];
      rest = lines.pop() ?? '';
      if (lines.length > 0) isEntry = false;
      for (const line of lines) pass(line);
      cut();
    },
    /** Passes on what has no line end. */
    end(): void {
      if (rest !== '' || held !== '') pass(rest);
    },
  };
}

/** Splits a stream of a process, as {@link createOutputSplitter} does, and resolves when it is over. */
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
 * Returns the environment of a child whose output is printed on a terminal with colors. To the child its output is a
 * pipe, for which packages use none. Variables that the user has set win.
 */
export function withColor(env: Env, hasColor: boolean): Env {
  const isSet = env['FORCE_COLOR'] !== undefined || env['NO_COLOR'] !== undefined;
  if (!hasColor || isSet) return env;
  const isTrueColor = ['truecolor', '24bit'].includes(env['COLORTERM'] ?? '');
  const has256 = env['TERM']?.includes('256color') ?? false;
  return { ...env, FORCE_COLOR: isTrueColor ? '3' : has256 ? '2' : '1' };
}
