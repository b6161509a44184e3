import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CreateIo } from '../src/create/create-io.js';
import { run } from '../src/create/run.js';

export interface TestRunOptions {
  readonly argv: readonly string[];
  readonly env?: CreateIo['env'];
  /** The home folder as the system knows it. */
  readonly home?: string;
  /** Lines that the user types; without them, there is no terminal. */
  readonly answers?: readonly string[];
  /** Exit code of every program that is started. */
  readonly commandExitCode?: number;
  /** Called when a program is started. */
  readonly onCommand?: () => void;
  readonly signal?: AbortSignal;
}

export interface TestRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly questions: readonly string[];
  /** The programs that were started, such as `npm install in /tmp/x/my-bot`. */
  readonly commands: readonly string[];
}

/** A temporary folder to scaffold into. */
export interface Workplace extends AsyncDisposable {
  readonly cwd: string;
  run(options: TestRunOptions): Promise<TestRun>;
  /** Names in a folder of it, sorted. */
  names(folder?: string): Promise<string[]>;
}

export async function createWorkplace(): Promise<Workplace> {
  // The real path, since macOS keeps its temporary folder behind a link.
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'create-virgule-test-')));
  return {
    cwd,
    run: (options) => runIn(cwd, options),
    names: async (folder = '.') => (await readdir(join(cwd, folder))).toSorted(),
    [Symbol.asyncDispose]: () => rm(cwd, { recursive: true, force: true }),
  };
}

async function runIn(cwd: string, options: TestRunOptions): Promise<TestRun> {
  const output = { stdout: '', stderr: '' };
  const questions: string[] = [];
  const commands: string[] = [];
  const answers = [...(options.answers ?? [])];
  const signal = options.signal ?? new AbortController().signal;
  const sink = (name: keyof typeof output) => ({
    write: (text: string) => {
      output[name] += text;
    },
  });
  const exitCode = await run(options.argv, {
    cwd,
    home: options.home,
    env: options.env ?? {},
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    isTerminal: options.answers !== undefined,
    ask: async (question) => {
      questions.push(question);
      signal.throwIfAborted();
      const answer = answers.shift();
      if (answer === undefined) throw new Error(`No answer to: ${question}`);
      return answer;
    },
    runCommand: async (command, { cwd: folder, output: to }) => {
      commands.push(`${command} in ${folder}`);
      sink(to).write(`output of ${command.split(' ')[0]}\n`);
      options.onCommand?.();
      return options.commandExitCode ?? 0;
    },
    templatesFolder: fileURLToPath(new URL('samples', import.meta.url)),
    version: '1.2.3',
    signal,
  });
  return { exitCode, ...output, questions, commands };
}
