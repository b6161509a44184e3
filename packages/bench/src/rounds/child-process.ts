import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Reply } from './parent-port.js';

export interface MeasuredProcess {
  /** Asks and waits for the answer; fails when the process ends first, or takes longer than a minute. */
  ask<Output>(name: string, input?: unknown): Promise<Output>;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly args?: readonly string[];
  readonly execArgv?: readonly string[] | undefined;
  /** Takes what the process prints. @defaultValue that of this process */
  readonly stdoutFile?: string | undefined;
  /** How long an answer may take, in milliseconds. @defaultValue 60_000 */
  readonly patienceMs?: number;
}

/** Starts one of the programs in `src/bin`, as it was built. */
export function startProcess(program: string, options: StartOptions = {}): MeasuredProcess {
  const { args = [], execArgv = [], stdoutFile, patienceMs = 60_000 } = options;
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
  child.on('error', (error) => settleAll(`${program} did not start: ${error.message}`));
  child.on('exit', (code) => settleAll(`${program} ended with ${code}`));

  return {
    async ask<Output>(name: string, input?: unknown) {
      const id = (nextId += 1);
      const reply = await new Promise<Reply>((resolve) => {
        waiting.set(id, resolve);
        const error = `${program} did not answer "${name}" in ${patienceMs} ms`;
        const timer = setTimeout(() => resolve({ id, error }), patienceMs);
        timer.unref();
        child.send({ id, name, input }, (failure) => {
          if (failure) resolve({ id, error: failure.message });
        });
      });
      if ('error' in reply) throw new Error(reply.error);
      // What each name gives is agreed between the two files that use it.
      return reply.output as Output;
    },
    async stop() {
      if (!isOver(child)) child.kill('SIGKILL');
      await ended;
    },
  };
}

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;
