import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { spawnBuilt } from './built-bot.js';
import { createTestIo } from './test-io.js';
import {
  answering,
  createStubProject,
  createTestProject,
  type TestProject,
} from './test-project.js';

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

/** `FILES`, built once for all tests that only run it. */
let project: TestProject;
let written: string;
beforeAll(async () => {
  project = await createTestProject(FILES);
  const io = createTestIo({ cwd: project.root });
  if ((await run(['build'], io)) !== 0) throw new Error(io.err);
  written = io.out;
  return () => project[Symbol.asyncDispose]();
});

/** Module that makes a bot exit with 9 if the bot loads HTTP/2, or its source map without a stack to show. */
const THRIFTY = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import 'node:http';
  import { syncBuiltinESMExports } from 'node:module';
  const { readFileSync } = fs;
  let readsMap = false;
  fs.readFileSync = (file, ...given) => {
    if (String(file).endsWith('.map')) readsMap = true;
    return readFileSync(file, ...given);
  };
  syncBuiltinESMExports();
  const hasHttp2 = () => process.moduleLoadList.includes('NativeModule http2');
  // From version 22 on, Node.js itself loads HTTP/2 with node:http.
  const isOfNode = hasHttp2();
  process.on('exit', () => {
    if (readsMap || (hasHttp2() && !isOfNode)) process.exitCode = 9;
  });`)}`;

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/** Maximum size of a small bot, in bytes. The docs name the limit. */
const MAX_BYTES = 1_090_000;

describe('virgule build', () => {
  it('keeps a small bot small, without packages that only some projects use', async () => {
    const code = await readFile(join(project.root, 'dist/bot.mjs'));
    // Wrappers of CommonJS modules contain paths, which in a project of a user do not lead to a repository.
    const repository = relative(project.root, REPOSITORY);
    const asInstalled = code.toString().replaceAll(`${repository}/`, '');
    expect(Buffer.byteLength(asInstalled)).toBeLessThanOrEqual(MAX_BYTES);
    const map = await readFile(join(project.root, 'dist/bot.mjs.map'), 'utf8');
    const { sources } = JSON.parse(map) as { readonly sources: readonly string[] };
    const packages = new Set(
      sources.map((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]),
    );
    for (const name of [
      '@opentelemetry/api',
      'prom-client',
      'libsql',
      'esbuild',
      'chokidar',
      'croner',
      'thread-stream',
      '@pinojs/redact',
      'on-exit-leak-free',
      'pino-std-serializers',
    ])
      expect(packages).not.toContain(name);
    expect(sources.filter((file) => file.endsWith('/undici/index.js'))).toEqual([]);
  });

  it('makes one file that runs without the project, answers, and ends well on SIGTERM', async () => {
    await using platform = await startSimulator();
    expect(written).toMatch(/^dist\/bot\.mjs {2}\d+ kB, 2 commands, 1 event handler\n$/);
    expect(
      await run(['deploy', '--yes'], createTestIo({ cwd: project.root, env: envOf(platform) })),
    ).toBe(0);
    // Neither the sources nor the packages are needed any more.
    await using server = await createTestProject({});
    await rm(join(server.root, 'node_modules'), { recursive: true });
    await cp(join(project.root, 'dist'), join(server.root, 'dist'), { recursive: true });

    const bot = spawn(process.execPath, ['--import', THRIFTY, 'dist/bot.mjs'], {
      cwd: server.root,
      env: envOf(platform),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await vi.waitFor(() => expect(platform.snapshot().bot.connected).toBe(true), {
        timeout: 60_000,
      });
      platform.run({ rawInput: '/hello' });
      platform.sendMessage({ content: 'ping' });
      await vi.waitFor(
        () => {
          const texts = platform.messages().map(({ content }) => content);
          expect(texts).toContain('Hello from the bundle');
          expect(texts).toContain('pong');
        },
        { timeout: 60_000 },
      );
    } finally {
      bot.kill('SIGTERM');
    }
    expect(await once(bot, 'exit')).toEqual([0, null]);
  });

  it('leaves out packages with native code, and reports it at the build and where they are missing', async () => {
    await using project = await createStubProject({
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
    expect(io.out).toContain('Not bundled: natively@1.2.3 (native code)\n');
    const dist = join(project.root, 'dist');
    const bundle = await readFile(join(dist, 'bot.mjs'), 'utf8');
    expect(bundle).not.toContain('from native code');
    expect(io.out).toContain(`${Math.round(bundle.length / 1_000)} kB`);
    const server = await mkdtemp(join(tmpdir(), 'virgule-server-'));
    onTestFinished(() => rm(server, { recursive: true, force: true }));
    await cp(dist, join(server, 'dist'), { recursive: true });
    const bot = spawnBuilt(server, {});
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toContain("Cannot find package 'natively' imported from ");
  });

  it('says what cannot be bundled, and where', async () => {
    await using project = await createStubProject({
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
    await using platform = await startSimulator();
    const io = createTestIo({ cwd: project.root, env: envOf(platform) });
    const ended = run(['start', '--sync'], io);
    await vi.waitFor(() => expect(platform.snapshot().bot.connected).toBe(true), {
      timeout: 60_000,
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
    await using platform = await startSimulator();
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
