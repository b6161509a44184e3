import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reply } from './parent-port.js';

export interface MeasuredProcess {
  readonly pid: number;
  /** Sends a request. Resolves with the output; rejects if the process exits first or the timeout passes. */
  ask<Output>(name: string, input?: unknown): Promise<Output>;
  /** Rejects when the process exits. */
  readonly exited: Promise<never>;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly args?: readonly string[];
  readonly execArgv?: readonly string[] | undefined;
  /** @defaultValue the folder of this process */
  readonly cwd?: string;
  /** @defaultValue the environment of this process */
  readonly env?: NodeJS.ProcessEnv;
  /** File for the standard output of the process. @defaultValue standard output of this process */
  readonly stdoutFile?: string | undefined;
  /** `false` for a program that receives no requests. @defaultValue true */
  readonly isAsked?: boolean;
  /** Timeout of a request, in milliseconds. @defaultValue 60_000 */
  readonly timeoutMs?: number;
}

/** Starts a program of Node.js: an absolute path, or the name of a built program of `src/bin`. */
export function startProcess(program: string, options: StartOptions = {}): MeasuredProcess {
  const { args = [], execArgv = [], cwd, env, stdoutFile, isAsked = true } = options;
  const { timeoutMs = 60_000 } = options;
  const file = isAbsolute(program)
    ? program
    : fileURLToPath(new URL(`../../dist/bin/${program}.js`, import.meta.url));
  const stdout = stdoutFile === undefined ? 'inherit' : openSync(stdoutFile, 'w');
  const child = spawn(process.execPath, [...execArgv, file, ...args], {
    cwd,
    env,
    stdio: ['ignore', stdout, 'inherit', ...(isAsked ? ['ipc' as const] : [])],
  });
  if (typeof stdout === 'number') closeSync(stdout);
  const waiting = new Map<number, (reply: Reply) => void>();
  let nextId = 0;

  const reason = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`${program} could not be started: ${error.message}.`));
    child.once('exit', (code, signal) => resolve(`${program} exited with ${code ?? signal}.`));
  });
  const exited = reason.then((error): never => {
    for (const [id, settle] of waiting) settle({ id, error });
    waiting.clear();
    throw new Error(error);
  });
  exited.catch(() => {});
  child.on('message', (reply: Reply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });

  return {
    // A process without a pid could not be started, and `exited` rejects.
    pid: child.pid ?? 0,
    exited,
    async ask<Output>(name: string, input?: unknown) {
      const id = (nextId += 1);
      const reply = await new Promise<Reply>((resolve) => {
        waiting.set(id, resolve);
        const error = `${program} did not respond to "${name}" within ${timeoutMs} ms.`;
        const timer = setTimeout(() => resolve({ id, error }), timeoutMs);
        timer.unref();
        child.send({ id, name, input }, (failure) => {
          if (failure) resolve({ id, error: failure.message });
        });
      });
      if ('error' in reply) throw new Error(reply.error);
      // The two files that use a name agree on its output.
      return reply.output as Output;
    },
    async stop() {
      if (!hasExited(child)) child.kill('SIGKILL');
      await reason;
    },
  };
}

const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;
