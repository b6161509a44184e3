import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Reply } from './parent-port.js';

export interface MeasuredProcess {
  /** Sends a request. Resolves with the output; rejects if the process exits first or the timeout passes. */
  ask<Output>(name: string, input?: unknown): Promise<Output>;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly args?: readonly string[];
  readonly execArgv?: readonly string[] | undefined;
  /** File for the standard output of the process. @defaultValue standard output of this process */
  readonly stdoutFile?: string | undefined;
  /** Timeout of a request, in milliseconds. @defaultValue 60_000 */
  readonly timeoutMs?: number;
}

/** Starts a built program of `src/bin`. */
export function startProcess(program: string, options: StartOptions = {}): MeasuredProcess {
  const { args = [], execArgv = [], stdoutFile, timeoutMs = 60_000 } = options;
  const file = fileURLToPath(new URL(`../bin/${program}.js`, import.meta.url));
  const stdout = stdoutFile === undefined ? 'inherit' : openSync(stdoutFile, 'w');
  const stdio = ['inherit', stdout, 'inherit', 'ipc'] as const;
  const child = fork(file, args, { execArgv: [...execArgv], stdio: [...stdio] });
  if (typeof stdout === 'number') closeSync(stdout);
  const waiting = new Map<number, (reply: Reply) => void>();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let nextId = 0;

  function settleAll(reason: string): void {
    for (const [id, settle] of waiting) settle({ id, error: reason });
    waiting.clear();
  }

  child.on('message', (reply: Reply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  child.on('error', (error) => settleAll(`${program} could not be started: ${error.message}.`));
  child.on('exit', (code) => settleAll(`${program} exited with ${code}.`));

  return {
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
      await ended;
    },
  };
}

const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;
