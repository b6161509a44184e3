import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Spawned {
  /** The next line that fits, among those that were not waited for; fails when the process ends first. */
  line(fits: (line: string) => boolean): Promise<string>;
  stop(): Promise<void>;
}

export interface SpawnOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** How many lines are remembered that nobody waited for. */
const REMEMBERED = 1_000;
/** How long a program may take to end, in milliseconds. */
const END_MS = 5_000;

/** Starts a Node.js program whose lines on standard output are read. What it says as errors is shown. */
export function spawnProgram(args: readonly string[], { cwd, env = {} }: SpawnOptions): Spawned {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let wanted: (() => void) | undefined;
  let isOver = false;
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    if (lines.length > REMEMBERED) lines.shift();
    wanted?.();
  });
  const ended = once(child, 'exit').then(() => {
    isOver = true;
    wanted?.();
  });

  return {
    async line(fits) {
      for (;;) {
        const index = lines.findIndex(fits);
        if (index >= 0) return lines.splice(0, index + 1).at(-1) ?? '';
        if (isOver) throw new Error(`${args.join(' ')} ended`);
        await new Promise<void>((resolve) => {
          wanted = resolve;
        });
      }
    },
    async stop() {
      if (isOver) return;
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), END_MS);
      await ended;
      clearTimeout(force);
    },
  };
}
