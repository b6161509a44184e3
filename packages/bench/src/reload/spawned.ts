import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Spawned {
  readonly pid: number;
  /** Resolves with the next matching line, including buffered ones; rejects when the process exits first. */
  line(matches: (line: string) => boolean): Promise<string>;
  stop(): Promise<void>;
}

export interface SpawnOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Maximum number of buffered lines. */
const MAX_BUFFERED_LINES = 1_000;
/** Time for a program to exit before it is killed, in milliseconds. */
const EXIT_TIMEOUT_MS = 5_000;

/** Starts a Node.js program and reads the lines of its standard output. Its standard error is shown. */
export function spawnProgram(args: readonly string[], { cwd, env = {} }: SpawnOptions): Spawned {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let wanted: (() => void) | undefined;
  let hasExited = false;
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    if (lines.length > MAX_BUFFERED_LINES) lines.shift();
    wanted?.();
  });
  const ended = once(child, 'exit').then(() => {
    hasExited = true;
    wanted?.();
  });

  return {
    // Without a pid, the program could not be started, and `line` rejects.
    pid: child.pid ?? 0,
    async line(matches) {
      for (;;) {
        const index = lines.findIndex(matches);
        if (index >= 0) return lines.splice(0, index + 1).at(-1) ?? '';
        if (hasExited) throw new Error(`${args.join(' ')} exited.`);
        await new Promise<void>((resolve) => {
          wanted = resolve;
        });
      }
    },
    async stop() {
      if (hasExited) return;
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), EXIT_TIMEOUT_MS);
      await ended;
      clearTimeout(force);
    },
  };
}
