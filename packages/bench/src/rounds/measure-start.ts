import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startProcess } from './child-process.js';
import type { Sample } from './scenario.js';

export const START_METRICS = ['startMs', 'startCpuMs', 'rssMiB'] as const;

/** Time for a bot to become idle after its IDENTIFY. */
const IDLE_MS = 1_000;

/** Starts a program as a service, and measures it when it has identified and is idle. */
export async function measureStart(file: string, folder: string): Promise<Sample> {
  const platform = startProcess('platform');
  try {
    const port = await platform.ask<number>('port');
    const identified = platform.ask('identified');
    const startedAtMs = performance.now();
    const bot = spawn(process.execPath, [file], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        BOT_TOKEN: 'bench-token-opens-nothing',
        BOT_BASE_URL: `http://127.0.0.1:${port}`,
        BOT_GATEWAY_URL: `ws://127.0.0.1:${port}`,
      },
    });
    try {
      await Promise.race([identified, endOf(bot)]);
      const startMs = performance.now() - startedAtMs;
      await pause(IDLE_MS);
      return { values: { startMs, ...usageOf(bot.pid) } };
    } finally {
      bot.kill('SIGKILL');
    }
  } finally {
    await platform.stop();
  }
}

function endOf(bot: ReturnType<typeof spawn>): Promise<never> {
  return new Promise((_resolve, reject) => {
    bot.once('error', reject);
    bot.once('exit', (code) =>
      reject(new Error(`The bot exited with ${code} before it identified.`)),
    );
  });
}

/** Duration of a tick in `/proc/<pid>/stat`, the same on every Linux system. */
const MS_PER_TICK = 10;
const KIB_PER_MIB = 1_024;

/** Reads the CPU time and memory of a process from Linux, without involving the program. */
function usageOf(pid: number | undefined): { startCpuMs: number; rssMiB: number } {
  const read = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');
  const rssKib = Number(/VmRSS:\s+(\d+)/.exec(read('status'))?.[1]);
  return { startCpuMs: ticksOf(read('stat')) * MS_PER_TICK, rssMiB: rssKib / KIB_PER_MIB };
}

/** Returns user and system time, fields 14 and 15; the name before them may contain spaces and parentheses. */
export function ticksOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
