import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { describe, expect, it, vi } from 'vitest';
import { run } from '../src/cli/run.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject } from './test-project.js';

const FILES = {
  'commands/hello.ts': answering('Hello from the bundle'),
  'commands/tools/_middleware.ts': `
    import { defineMiddleware } from 'virgule';
    export default defineMiddleware(async (_, next) => { await next(); });`,
  'commands/tools/now.ts': answering('now'),
  'events/message-create.ts': `
    import { defineEvent } from 'virgule';
    export default defineEvent('MESSAGE_CREATE', async ({ data, here }) => {
      if (data.content === 'ping') await here?.send('pong');
    });`,
};

const envOf = (platform: Simulator) => ({
  BOT_TOKEN: platform.token,
  BOT_BASE_URL: platform.baseUrl,
  BOT_GATEWAY_URL: platform.gatewayUrl,
});

describe('virgule build', () => {
  it('makes one file that runs without the project, answers, and ends well on SIGTERM', async () => {
    await using project = await createTestProject(FILES);
    await using platform = await startSimulator();
    const io = createTestIo({ cwd: project.root, env: envOf(platform) });
    expect(await run(['build'], io)).toBe(0);
    expect(io.out).toMatch(/^dist\/bot\.mjs {2}\d+ kB, 2 commands, 1 event handler\n$/);
    expect(
      await run(['deploy', '--yes'], createTestIo({ cwd: project.root, env: envOf(platform) })),
    ).toBe(0);
    // Neither the sources nor the packages are needed any more.
    await rm(join(project.root, 'commands'), { recursive: true });
    await rm(join(project.root, 'node_modules'), { recursive: true });

    const bot = spawn(process.execPath, ['dist/bot.mjs'], {
      cwd: project.root,
      env: envOf(platform),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await vi.waitFor(() => expect(platform.snapshot().bot.connected).toBe(true), {
        timeout: 10_000,
      });
      platform.run({ rawInput: '/hello' });
      platform.sendMessage({ content: 'ping' });
      await vi.waitFor(
        () => {
          const texts = platform.messages().map(({ content }) => content);
          expect(texts).toContain('Hello from the bundle');
          expect(texts).toContain('pong');
        },
        { timeout: 10_000 },
      );
    } finally {
      bot.kill('SIGTERM');
    }
    expect(await once(bot, 'exit')).toEqual([0, null]);
  });

  it('writes a manifest next to it', async () => {
    await using project = await createTestProject(FILES);
    const io = createTestIo({ cwd: project.root });
    expect(await run(['build', '--json'], io)).toBe(0);
    expect(JSON.parse(io.out)).toMatchObject({
      v: 1,
      file: 'dist/bot.mjs',
      commands: 2,
      events: 1,
      external: [],
    });
    expect(
      JSON.parse(await readFile(join(project.root, 'dist', 'manifest.json'), 'utf8')),
    ).toMatchObject({
      v: 1,
      commands: [
        { name: 'hello' },
        { name: 'tools-now', middleware: ['commands/tools/_middleware.ts'] },
      ],
      registered: [{ name: 'hello', description: 'Answer', options: [] }, { name: 'tools-now' }],
    });
  });

  it('makes the same bytes twice', async () => {
    await using project = await createTestProject(FILES);
    const build = async () => {
      expect(await run(['build'], createTestIo({ cwd: project.root }))).toBe(0);
      return readFile(join(project.root, 'dist', 'bot.mjs'), 'utf8');
    };
    expect(await build()).toBe(await build());
  });

  it('leaves out packages with native code, and reports it', async () => {
    await using project = await createTestProject({
      'commands/native.ts': `
        import { defineCommand } from 'virgule';
        import { answer } from 'natively';
        export default defineCommand({ description: 'N', run: () => answer });`,
      'node_modules/natively/package.json':
        '{ "name": "natively", "version": "1.2.3", "main": "index.js", "gypfile": true }',
      'node_modules/natively/index.js': `exports.answer = 'from native code';`,
    });
    const io = createTestIo({ cwd: project.root });
    expect(await run(['build'], io)).toBe(0);
    expect(io.out).toContain('Not bundled: natively@1.2.3\n');
    const bundle = await readFile(join(project.root, 'dist', 'bot.mjs'), 'utf8');
    expect(bundle).not.toContain('from native code');
  });

  it.each([
    ['import { z }', true],
    ['import * as z', false],
  ])('says with %s whether all languages of zod came along: %s', async (clause, isWhole) => {
    await using project = await createTestProject({
      'commands/roll.ts': `
        import { defineCommand } from 'virgule';
        ${clause} from 'zod';
        export default defineCommand({ description: 'R', options: z.object({ n: z.int() }), run: () => 'r' });`,
    });
    const io = createTestIo({ cwd: project.root });
    expect(await run(['build'], io)).toBe(0);
    expect(io.out.includes("write import * as z from 'zod' in place of import { z }")).toBe(
      isWhole,
    );
    const json = createTestIo({ cwd: project.root });
    expect(await run(['build', '--json', '--no-types'], json)).toBe(0);
    expect(JSON.parse(json.out)).toMatchObject({ wholeZod: isWhole });
  });

  it('says what cannot be bundled, and where', async () => {
    await using project = await createTestProject({
      'commands/a.ts': `export default {
  description: 'A',
  run: async () => (await import('./table.csv')).default,
};`,
      'commands/table.csv': 'a,b',
    });
    const io = createTestIo({ cwd: project.root });
    expect(await run(['build'], io)).toBe(1);
    expect(io.err).toContain('[E_BUILD_FAILED]');
    expect(io.err).toContain('at commands/a.ts:3:');
    await expect(access(join(project.root, 'dist'))).rejects.toThrow('ENOENT');
  });

  it('writes nothing when the project has problems', async () => {
    await using project = await createTestProject({ 'commands/a.ts': 'export const x = 1;' });
    expect(await run(['build'], createTestIo({ cwd: project.root }))).toBe(1);
    await expect(access(join(project.root, 'dist'))).rejects.toThrow('ENOENT');
  });
});

describe('virgule start', () => {
  it('runs the built bot, and registers the commands first with --sync', async () => {
    await using project = await createTestProject(FILES);
    await using platform = await startSimulator();
    expect(await run(['build'], createTestIo({ cwd: project.root }))).toBe(0);
    const io = createTestIo({ cwd: project.root, env: envOf(platform) });
    const ended = run(['start', '--sync'], io);
    await vi.waitFor(() => expect(platform.snapshot().bot.connected).toBe(true), {
      timeout: 10_000,
    });
    expect(platform.snapshot().commands.map(({ name }) => name)).toEqual(['hello', 'tools-now']);
    io.stop();
    expect(await ended).toBe(0);
  });

  it('reports what is missing before it starts anything', async () => {
    await using project = await createTestProject({
      'dist/bot.mjs': 'throw new Error("started");',
    });
    const io = createTestIo({ cwd: project.root });
    expect(await run(['start'], io)).toBe(78);
    expect(io.err).toContain('[E_TOKEN_MISSING]');
  });

  it('ends with 78 when the token is refused', async () => {
    await using project = await createTestProject(FILES);
    await using platform = await startSimulator();
    expect(await run(['build'], createTestIo({ cwd: project.root }))).toBe(0);
    const bot = spawn(process.execPath, ['dist/bot.mjs'], {
      cwd: project.root,
      env: { ...envOf(platform), BOT_TOKEN: 'a-wrong-token' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let err = '';
    bot.stderr.on('data', (chunk) => (err += String(chunk)));
    expect(await once(bot, 'close')).toEqual([78, null]);
    expect(err).toContain('[E_UNAUTHORIZED]');
    expect(err).not.toContain('a-wrong-token');
  });
});
