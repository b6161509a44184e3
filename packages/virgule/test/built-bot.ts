import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Simulator } from '@virgule/simulator';
import { expect, onTestFinished, vi } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createTestIo } from './test-io.js';
import { createTestProject } from './test-project.js';

const SLOW = { timeout: 60_000, interval: 20 };

/** Builds a project and returns a folder that holds nothing but its `dist/`. */
export async function buildApart(
  files: Readonly<Record<string, string>>,
  prepare: (root: string) => Promise<unknown> = async () => {},
) {
  await using project = await createTestProject(files);
  await prepare(project.root);
  const io = createTestIo({ cwd: project.root });
  expect({ code: await run(['build'], io), err: io.err }).toMatchObject({ code: 0 });
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'virgule-built-')));
  await cp(join(project.root, 'dist'), join(folder, 'dist'), { recursive: true });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The same, for one test. */
export async function buildElsewhere(...given: Parameters<typeof buildApart>): Promise<string> {
  const { folder, remove } = await buildApart(...given);
  onTestFinished(remove);
  return folder;
}

/** Variables with which a bot reaches this platform. */
export const envOf = (platform: Simulator): Record<string, string> => ({
  BOT_TOKEN: platform.token,
  BOT_BASE_URL: platform.baseUrl,
  BOT_GATEWAY_URL: platform.gatewayUrl,
});

export type BuiltBot = ReturnType<typeof spawnBuilt>;

/** Starts `node dist/bot.mjs` in a folder, for one test. */
export function startBuilt(...given: Parameters<typeof spawnBuilt>): BuiltBot {
  const bot = spawnBuilt(...given);
  onTestFinished(() => void bot.child.kill('SIGKILL'));
  return bot;
}

/** Starts `node dist/bot.mjs` in a folder. The caller ends it. */
export function spawnBuilt(
  folder: string,
  env: Readonly<Record<string, string>>,
  argv: readonly string[] = [],
  nodeArgv: readonly string[] = [],
) {
  const child = spawn(process.execPath, [...nodeArgv, 'dist/bot.mjs', ...argv], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += String(chunk)));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    ended,
    output: () => output,
    /** Waits for a line and returns what the pattern found. */
    said: (pattern: RegExp): Promise<RegExpExecArray> =>
      vi.waitFor(() => {
        const found = pattern.exec(output);
        if (!found) throw new Error(`not said yet: ${String(pattern)} in ${output}`);
        return found;
      }, SLOW),
  };
}

/** Waits until something is so. */
export const soon = (check: () => void | Promise<void>): Promise<void> => vi.waitFor(check, SLOW);
