import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { run } from '../src/cli/run.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject, type TestProject } from './test-project.js';

// Processes start, and a busy machine takes its time.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

describe('virgule deploy', () => {
  let platform: Simulator;
  let project: TestProject;

  beforeEach(async () => {
    platform = await startSimulator();
    project = await createTestProject({
      'commands/hello.ts': answering('hello'),
      'commands/old.ts': answering('old'),
    });
  });
  afterEach(async () => {
    await platform.close();
    await project[Symbol.asyncDispose]();
  });

  async function deploy(argv: string[] = [], typed?: string[]) {
    const env = {
      BOT_TOKEN: platform.token,
      BOT_BASE_URL: platform.baseUrl,
      BOT_GATEWAY_URL: platform.gatewayUrl,
    };
    const io = createTestIo({ cwd: project.root, env, typed });
    const code = await run(['deploy', ...argv], io);
    return { code, out: io.out, err: io.err };
  }
  const registered = (): string[] => platform.snapshot().commands.map(({ name }) => name);
  const puts = (): number => platform.counts.requests['commands.replace'] ?? 0;

  it('adds at first, and has nothing to do the second time', async () => {
    const first = await deploy(['--yes']);
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain('  + /hello');
    expect(first.out).toContain('Applied, and verified by reading it back.');
    expect(registered()).toEqual(['hello', 'old']);

    const second = await deploy(['--yes']);
    expect(second).toMatchObject({
      code: 0,
      out: 'No changes. 2 commands of Demo Bot are up to date.\n',
    });
    expect(puts()).toBe(1);
  });

  it('asks before it removes a command, and takes only the number of deletions for a yes', async () => {
    await deploy(['--yes']);
    await project.remove('commands/old.ts');

    const refused = await deploy([], ['y']);
    expect(refused.code).toBe(1);
    expect(refused.out).toContain('  - /old');
    expect(refused.out).toContain('Type the number of deletions (1) to confirm');
    expect(refused.err).toContain('E_DEPLOY_REFUSED');
    expect(registered()).toEqual(['hello', 'old']);

    expect((await deploy([], ['1'])).code).toBe(0);
    expect(registered()).toEqual(['hello']);
  });

  it('does not take --yes for a yes to deletions', async () => {
    await deploy(['--yes']);
    await project.remove('commands/old.ts');
    const { code, err } = await deploy(['--yes']);
    expect(code).toBe(1);
    expect(err).toContain('E_CONSENT_NEEDED');
    expect(err).toContain('virgule deploy --yes --allow-delete');
    expect(registered()).toContain('old');

    expect((await deploy(['--yes', '--allow-delete'])).code).toBe(0);
    expect(registered()).toEqual(['hello']);
  });

  it('changes nothing without a terminal and without --yes, and says what to run', async () => {
    const { code, out, err } = await deploy();
    expect(code).toBe(1);
    expect(out).toContain('2 to add');
    expect(err).toContain('Run `virgule deploy --yes`.');
    expect(puts()).toBe(0);
  });

  it('asks on a terminal, and takes y for a yes when nothing is deleted', async () => {
    expect((await deploy([], ['n'])).code).toBe(1);
    expect(puts()).toBe(0);
    expect((await deploy([], ['y'])).code).toBe(0);
    expect(puts()).toBe(1);
  });

  it('changes nothing with --dry-run', async () => {
    const { code, out } = await deploy(['--dry-run', '--yes']);
    expect(code).toBe(0);
    expect(out).toContain('2 to add');
    expect(puts()).toBe(0);
  });

  it('prints one JSON object with --json', async () => {
    const planned = await deploy(['--dry-run', '--json']);
    expect(JSON.parse(planned.out)).toMatchObject({
      v: 1,
      result: 'planned',
      changes: 2,
      remove: [],
    });
    const applied = await deploy(['--yes', '--json']);
    expect(JSON.parse(applied.out)).toMatchObject({ v: 1, result: 'applied', changes: 2 });
    const again = await deploy(['--yes', '--json']);
    expect(JSON.parse(again.out)).toMatchObject({
      v: 1,
      result: 'no changes',
      changes: 0,
      same: ['hello', 'old'],
    });
  });

  it('keeps what was replaced', async () => {
    await deploy(['--yes']);
    await project.write('commands/new.ts', answering('new'));
    await deploy(['--yes']);
    const folder = join(project.root, '.virgule', 'deploys');
    const saved = await Promise.all(
      (await readdir(folder)).map(
        async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as unknown,
      ),
    );
    expect(saved).toContainEqual(
      expect.objectContaining({
        v: 1,
        commands: [
          expect.objectContaining({ name: 'hello' }),
          expect.objectContaining({ name: 'old' }),
        ],
      }),
    );
  });

  it('says that the token is refused', async () => {
    const io = createTestIo({
      cwd: project.root,
      env: {
        BOT_TOKEN: 'wrong-token',
        BOT_BASE_URL: platform.baseUrl,
        BOT_GATEWAY_URL: platform.gatewayUrl,
      },
    });
    expect(await run(['deploy', '--yes'], io)).toBe(1);
    expect(io.err).toContain('E_UNAUTHORIZED');
    expect(io.err).not.toContain('wrong-token');
    expect(puts()).toBe(0);
  });

  it('reads the settings from .env, and lets the environment win', async () => {
    await project.write(
      '.env',
      `BOT_TOKEN=${platform.token}\nBOT_BASE_URL=http://127.0.0.1:1\nBOT_GATEWAY_URL=${platform.gatewayUrl}\n`,
    );
    const io = createTestIo({ cwd: project.root, env: { BOT_BASE_URL: platform.baseUrl } });
    expect(await run(['deploy', '--yes'], io)).toBe(0);
  });
});
