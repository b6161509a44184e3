import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { isOwnerRunning, startOfProcess } from './process-owner.js';

it.runIf(process.platform === 'linux')(
  'knows that a killed process has ended before its parent reads the exit code',
  async () => {
    // The shell becomes a program that reads no exit code of its child.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60']);
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line);
    const owner = { pid, started: startOfProcess(pid) };
    expect(isOwnerRunning(owner)).toBe(true);
    // Until then, the shell itself may read the exit code.
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
    expect(isOwnerRunning(owner)).toBe(false);
  },
);
