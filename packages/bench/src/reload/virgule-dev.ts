import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startFakePlatform } from '../platform/fake-platform.js';
import { openBenchChat, type BenchChat, type BenchPlatform } from './bench-chat.js';
import { createReloadProject, type ReloadProject } from './reload-project.js';
import { stringOf, type Edit, type ReloadSubject, type RunningSubject } from './reload-subject.js';
import { spawnProgram } from './spawned.js';

/** Path of the program that a project uses. */
const binOf = ({ root }: ReloadProject): string =>
  join(root, 'node_modules/virgule/bin/virgule.mjs');
export const LIVE = 'virgule dev --live';
const EDITS: readonly Edit[] = ['command', 'helper', 'restart'];

export interface RunningDev extends RunningSubject {
  readonly chat: BenchChat;
  /** Resolves with the next report of a type. */
  reported(type: string): Promise<unknown>;
}

/** Starts the built `virgule dev`. */
export async function startVirguleDev(project: ReloadProject): Promise<RunningDev> {
  const program = spawnProgram([binOf(project), 'dev', '--json', '--port', '0', '--fresh'], {
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
    save: project.save,
    ask: () => chat.ask(`/${project.command}`),
    identifies: chat.identifies,
    async close() {
      await chat.close();
      await program.stop();
      project.remove();
    },
  };
}

export const virguleDev: ReloadSubject = {
  name: 'virgule dev',
  edits: EDITS,
  start: (files) => startVirguleDev(createReloadProject(files)),
};

/**
 * Returns `virgule dev --live` on a fake platform with the commands registered, as during the development of a deployed bot.
 *
 * @param base - another checkout with a build. @defaultValue this one
 */
export const virguleLive = (base?: string): ReloadSubject => ({
  name: base === undefined ? LIVE : `${LIVE} (base)`,
  edits: EDITS,
  async start(files) {
    const project = createReloadProject(files, base && resolve(base));
    const platform = await startFakePlatform();
    const env = {
      BOT_TOKEN: 'bench-token-opens-nothing',
      BOT_BASE_URL: `http://127.0.0.1:${platform.port}`,
      BOT_GATEWAY_URL: `ws://127.0.0.1:${platform.port}`,
      LOG_LEVEL: 'warn',
    };
    await promisify(execFile)(process.execPath, [binOf(project), 'deploy', '--yes'], {
      cwd: project.root,
      env: { ...process.env, ...env },
    });
    const program = spawnProgram([binOf(project), 'dev', '--live', '--json'], {
      cwd: project.root,
      env,
    });
    const exited = program.line(() => false);
    exited.catch(() => {});
    await Promise.race([platform.identified, exited]);
    return {
      pid: program.pid,
      save: project.save,
      ask: async () => stringOf(await platform.ask(project.command)),
      identifies: async () => platform.identifies,
      async close() {
        await program.stop();
        platform.close();
        project.remove();
      },
    };
  },
});
