import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDER = 'packages/redis/test';
const MESSAGE =
  'redis-server is missing: install it (Debian: apt-get install redis-server), or set REDIS_SERVER_PATH';

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly failureMessages: readonly string[] }[];
  }[];
}

/** Runs files of tests as on a machine without redis-server. */
async function runWithoutRedis(files: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'virgule-missing-redis-'));
  const output = join(folder, 'report.json');
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const tiers = ['--project', 'integration', '--project', 'smoke'];
  const flags = [...tiers, '--reporter', 'json', '--outputFile', output];
  const child = spawn(process.execPath, [vitest, 'run', ...flags, ...files], {
    cwd: ROOT,
    // oxlint-disable-next-line virgule/outside-world -- a program of its own gets this one's environment.
    env: { ...process.env, VITEST: undefined, REDIS_SERVER_PATH: join(folder, 'none') },
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  const [code] = await once(child, 'exit');
  const { testResults } = JSON.parse(await readFile(output, 'utf8')) as Report;
  const outcomes = testResults.map(({ name, status, message, assertionResults }) => [
    basename(name),
    status,
    [message, ...assertionResults.flatMap(({ failureMessages }) => failureMessages)].join(' '),
  ]);
  return { code, outcomes: new Set(outcomes) };
}

it('fails all files whose tests need redis-server, with what to do', async () => {
  const names = (await readdir(join(ROOT, FOLDER))).filter(
    // Without this file, which would run itself again and again.
    (name) => name.endsWith('.integration.test.ts') && !import.meta.url.endsWith(`/${name}`),
  );
  const { code, outcomes } = await runWithoutRedis(names.map((name) => `${FOLDER}/${name}`));
  expect(code).toBe(1);
  expect(outcomes).toEqual(
    new Set(names.map((name) => [name, 'failed', expect.stringContaining(MESSAGE)])),
  );
  expect(outcomes.size).toBeGreaterThan(5);
});
