import { fileURLToPath } from 'node:url';
import { openBenchChat, type BenchPlatform } from './bench-chat.js';
import { JUDGED } from './judge-reload.js';
import type { ReloadProject } from './reload-project.js';
import type { ReloadSubject, RunningSubject } from './reload-subject.js';
import { spawnProgram } from './spawned.js';

const BIN = fileURLToPath(new URL('../../../virgule/bin/virgule.mjs', import.meta.url));

export interface RunningDev extends RunningSubject {
  /** Resolves with the next report of a type. */
  reported(type: string): Promise<unknown>;
}

/** Starts the built `virgule dev`. */
export async function startVirguleDev(project: ReloadProject): Promise<RunningDev> {
  const program = spawnProgram([BIN, 'dev', '--json', '--port', '0', '--fresh'], {
    cwd: project.root,
    env: { LOG_LEVEL: 'warn' },
  });
  const reported = async (type: string): Promise<unknown> =>
    JSON.parse(await program.line((line) => line.startsWith(`{"v":1,"type":"${type}"`)));
  // The program and this file have the same version.
  const chat = await openBenchChat((await reported('ready')) as BenchPlatform);
  return {
    pid: program.pid,
    chat,
    reported,
    changed: () => program.line((line) => /^\{"v":1,"type":"(?:reload|restart)"/.test(line)),
    async close() {
      await chat.close();
      await program.stop();
    },
  };
}

export const virguleDev: ReloadSubject = { name: JUDGED, start: startVirguleDev };
