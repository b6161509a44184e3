import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { orUndefined } from '@virgule/core/objects';
import type { CreateIo } from '../create/create-io.js';
import { run } from '../create/run.js';

/** Version of this package, set by the build. */
declare const CREATE_VIRGULE_VERSION: string;

const interrupt = new AbortController();
// Aborts instead of exiting immediately, so that partial files are removed first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => interrupt.abort());

const ask: CreateIo['ask'] = async (question) => {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  // readline handles Ctrl+C and Ctrl+D itself, and the question would never end.
  const stop = (): void => interrupt.abort();
  lines.once('SIGINT', stop).once('close', stop);
  try {
    return await lines.question(question, { signal: interrupt.signal });
  } finally {
    lines.off('close', stop).close();
  }
};

const runCommand: CreateIo['runCommand'] = (command, { cwd, output }) =>
  new Promise((resolve) => {
    const [program = '', ...args] = command.split(' ');
    const stdout = output === 'stderr' ? 2 : 'inherit';
    // On Windows, npm and others are scripts, which only a shell starts. The arguments are constants.
    const shell = process.platform === 'win32';
    const child = spawn(program, args, { cwd, stdio: ['inherit', stdout, 'inherit'], shell });
    child.on('error', () => resolve(127));
    child.on('exit', (code) => resolve(code ?? 1));
  });

process.exitCode = await run(process.argv.slice(2), {
  cwd: process.cwd(),
  // Throws for a user without an entry, as in some containers.
  home: orUndefined(homedir),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  // isTTY is undefined, not false, without a terminal.
  isTerminal: Boolean(process.stdin.isTTY) && Boolean(process.stdout.isTTY),
  ask,
  runCommand,
  templatesFolder: fileURLToPath(new URL('../templates', import.meta.url)),
  version: CREATE_VIRGULE_VERSION,
  signal: interrupt.signal,
});
