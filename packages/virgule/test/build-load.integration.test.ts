import { spawnSync } from 'node:child_process';
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { draftBuild } from '../src/build/build-bot.js';
import { run } from '../src/commands/command-line.js';
import { lockState } from '../src/state/state-lock.js';
import { createTestIo } from './test-io.js';
import { answering, createStubProject, createTestProject } from './test-project.js';

const packageOf = (name: string, code: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0' }),
  [`node_modules/${name}/index.js`]: code,
});

type Files = Readonly<Record<string, string>>;

const build = (files: Files, ...argv: string[]) => buildIn(createTestProject, files, argv);
/** The same, with a stub of `virgule`: for what throws before the bot runs. */
const buildStub = (files: Files, ...argv: string[]) => buildIn(createStubProject, files, argv);

async function buildIn(create: typeof createTestProject, files: Files, argv: readonly string[]) {
  const project = await create({ 'commands/hello.ts': answering('Hello'), ...files });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const io = createTestIo({ cwd: project.root, env: { NO_COLOR: '1' } });
  const code = await run(['build', ...argv], io);
  return { code, out: io.out, err: io.err, root: project.root };
}

describe('the last step of virgule build', () => {
  it('loads the bot in an empty folder, and names the file and line that threw', async () => {
    const { code, err } = await build({
      'lib/data.ts': `interface Unused {}
if (process.argv.includes('--check')) throw new TypeError('not next to the bundle');
export const text = 'works from the sources';`,
      'commands/data.ts': `import { text } from '../lib/data.js';
        export default { description: 'Data', run: () => text };`,
    });
    expect(code).toBe(1);
    expect(err).toContain(
      'The built bot does not load. lib/data.ts failed: TypeError: not next to the bundle\n  at lib/data.ts:2:',
    );
  });

  it('keeps the last of what the bot prints, however much that is', async () => {
    const project = await createStubProject({
      'commands/loud.ts': `if (process.argv.includes('--check')) {
          process.stderr.write('é'.repeat(2 ** 20) + 'the end', () => process.exit(3));
          await new Promise(() => setInterval(() => {}, 1_000));
        }
        export default { description: 'Loud', run: () => 'loud' };`,
    });
    onTestFinished(() => project[Symbol.asyncDispose]());
    const failed = await draftBuild({ root: project.root }).catch((error: unknown) => error);
    const { details } = failed as { details: { output: string } };
    expect(details.output).toMatch(/^é+the end$/);
    expect(details.output).toHaveLength(2 ** 16);
  });

  it('names the file of the project behind a package that throws', async () => {
    const { code, err, root } = await buildStub({
      'commands/pack.ts': `import { text } from 'reads-itself';
        export default { description: 'Pack', run: () => text };`,
      // Its way to find its files is one that no bundler can see.
      ...packageOf(
        'reads-itself',
        `exports.text = require('fs').readFileSync(require('path').join(module.path, 'data.txt'), 'utf8');`,
      ),
      'node_modules/reads-itself/data.txt': 'found',
    });
    expect(code).toBe(1);
    expect(err).toContain(
      '[E_BUILD_UNLOADABLE] The built bot does not load. node_modules/reads-itself/index.js, imported by commands/pack.ts, failed:',
    );
    expect(err).toContain('at commands/pack.ts');
    expect(err).toContain('Try:  Add "reads-itself" to build.external in virgule.config.ts');
    await expect(access(join(root, 'dist'))).rejects.toThrow('ENOENT');
    await expect(access(join(root, '.virgule', 'build'))).rejects.toThrow('ENOENT');
  });

  it('names a package that misses a file, also where no stack leads to it', async () => {
    const { err } = await buildStub({
      'commands/pack.ts': `import { read } from 'reads-later';
        const text = await read();
        export default { description: 'Pack', run: () => text };`,
      ...packageOf(
        'reads-later',
        `exports.read = () => require('fs').promises.readFile(require('path').join(__dirname, 'data.txt'));`,
      ),
      'node_modules/reads-later/data.txt': 'found',
    });
    expect(err).toMatch(/ENOENT.*dist\/build\.external\/reads-later\/data\.txt/);
    expect(err).toContain('Try:  Add "reads-later" to build.external in virgule.config.ts');
  });

  it('passes once that package is in build.external', async () => {
    const { code, out, root } = await buildStub({
      'virgule.config.ts': `export default { build: { external: ['reads-itself'] } };`,
      'commands/pack.ts': `import { text } from 'reads-itself';
        export default { description: 'Pack', run: () => text };`,
      ...packageOf(
        'reads-itself',
        `exports.text = require('fs').readFileSync(require('path').join(module.path, 'data.txt'), 'utf8');`,
      ),
      'node_modules/reads-itself/data.txt': 'found',
    });
    expect(code).toBe(0);
    expect(out).toContain('Not bundled: reads-itself@1.0.0 (build.external)');
    expect(JSON.parse(await readFile(join(root, 'dist/package.json'), 'utf8'))).toMatchObject({
      dependencies: { 'reads-itself': '1.0.0' },
    });
  });

  it('fails with a promise that is rejected at the top level', async () => {
    const { code, err } = await build({
      'commands/late.ts': `async function connect() { if (process.argv.includes('--check')) throw new Error('no database'); }
        void connect();
        export default { description: 'Late', run: () => 'late' };`,
    });
    expect([code, err]).toEqual([1, expect.stringContaining('no database')]);
    expect(err).toContain('[E_BUILD_UNLOADABLE]');
  });

  it('does not wait for processes that the bot leaves behind', async () => {
    const { code, err } = await build({
      'commands/child.ts': `import { spawn } from 'node:child_process';
        if (process.argv.includes('--check'))
          spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: ['ignore', 'ignore', 'inherit'], detached: true }).unref();
        export default { description: 'Child', run: () => 'child' };`,
    });
    expect([code, err]).toEqual([0, 'Types were not checked: there is no tsconfig.json.\n']);
  }, 30_000);

  it('says which package is missing there', async () => {
    const { code, err } = await buildStub({
      'commands/late.ts': `import { createRequire } from 'node:module';
        const { text } = createRequire(import.meta.url)('required');
        export default { description: 'Late', run: () => text };`,
      ...packageOf('required', `exports.text = 'found';`),
    });
    expect(code).toBe(1);
    expect(err).toContain('[E_BUILD_UNLOADABLE]');
    expect(err).toContain(`Try:  Add "required" to build.external in virgule.config.ts`);
  });

  it('passes once the missing package is in build.external', async () => {
    const { code, err, root } = await buildStub({
      'virgule.config.ts': `export default { build: { external: ['required'] } };`,
      'commands/late.ts': `import { createRequire } from 'node:module';
        const { text } = createRequire(import.meta.url)('required');
        export default { description: 'Late', run: () => text };`,
      ...packageOf('required', `exports.text = 'found';`),
    });
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(join(root, 'dist/package.json'), 'utf8'))).toMatchObject({
      dependencies: { required: '1.0.0' },
    });
  });

  it('can be skipped with --no-load', async () => {
    const { code } = await buildStub(
      {
        'commands/late.ts': `import { createRequire } from 'node:module';
          const { text } = createRequire(import.meta.url)('required');
          export default { description: 'Late', run: () => text };`,
        ...packageOf('required', `exports.text = 'found';`),
      },
      '--no-load',
    );
    expect(code).toBe(0);
  });

  it('passes with more commands than fit into the buffer of a pipe', async () => {
    const text = 'x'.repeat(100);
    const options = Array.from({ length: 20 }, (_, at) => `o${at}: z.string().describe('${text}')`);
    const files = Array.from({ length: 80 }, (_, at) => [
      `commands/c${at}.ts`,
      `import * as z from 'zod';
       export default { description: 'C', options: z.object({ ${options.join(', ')} }), run: () => 'c' };`,
    ]);
    const { code, err, root } = await build(Object.fromEntries(files), '--no-types');
    expect({ code, err }).toMatchObject({ code: 0 });
    const manifest = await readFile(join(root, 'dist/manifest.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({ registered: { length: 81 } });
  });

  it('passes with a bot that keeps timers and sockets open, and needs no token', async () => {
    const { code, err, root } = await build({
      'commands/open.ts': `import { createServer } from 'node:net';
        setInterval(() => {}, 1_000);
        createServer().listen(0, '127.0.0.1').unref();
        process.send?.({ registered: [] });
        export default { description: 'Open', run: () => 'open' };`,
      'virgule.config.ts': `import * as z from 'zod';
        export default { env: z.object({ NOT_SET_WHERE_IT_IS_BUILT: z.string() }) };`,
    });
    expect({ code, err }).toMatchObject({ code: 0, err: expect.not.stringContaining('Error') });
    // A message that code of the bot sends is not taken for its commands.
    const manifest = await readFile(join(root, 'dist/manifest.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({ registered: { length: 2 } });
  });

  it('gives up a bot that does not finish loading', async () => {
    const project = await createStubProject({
      'commands/wait.ts': `
        // Waits in the built bot only.
        if (!import.meta.url.endsWith('/commands/wait.ts') || process.argv.includes('--check'))
          await new Promise(() => setInterval(() => {}, 1_000));
        export default { description: 'Wait', run: () => 'never' };`,
    });
    onTestFinished(() => project[Symbol.asyncDispose]());
    const clock = createFakeClock();
    const failed = draftBuild({ root: project.root, clock }).catch((error: unknown) => error);
    await vi.waitFor(() => expect(clock.pending).toBe(1), { timeout: 60_000 });
    await clock.advance(60_000);
    expect(await failed).toMatchObject({
      code: 'E_BUILD_UNLOADABLE',
      message: 'The built bot does not load. The bot failed: it did not finish loading in 60 s',
    });
  });

  it('ends with the command, and leaves nothing behind', async () => {
    const project = await createStubProject({
      'commands/wait.ts': `
        import { writeFileSync } from 'node:fs';
        if (process.argv.includes('--check')) {
          writeFileSync(process.env['LOADED_IN'], process.cwd());
          await new Promise(() => setInterval(() => {}, 1_000));
        }
        export default { description: 'Wait', run: () => 'never' };`,
    });
    onTestFinished(() => project[Symbol.asyncDispose]());
    const seen = join(project.root, 'loaded-in.txt');
    const io = createTestIo({ cwd: project.root, env: { LOADED_IN: seen } });
    const ended = run(['build'], io);
    const folder = await vi.waitFor(
      async () => {
        const text = await readFile(seen, 'utf8');
        expect(text).toContain('virgule-build-');
        return text;
      },
      { timeout: 60_000 },
    );
    io.stop('SIGINT');
    expect(await ended).toBe(130);
    await expect(access(folder)).rejects.toThrow('ENOENT');
    expect(await readdir(join(project.root, '.virgule'))).toEqual([]);
  });

  it('waits for another build in the same folder', async () => {
    const project = await createStubProject({ 'commands/hello.ts': answering('Hello') });
    onTestFinished(() => project[Symbol.asyncDispose]());
    const { root } = project;
    const other = lockState({ root, command: 'build', pid: process.ppid });
    const clock = createFakeClock();
    const built = draftBuild({ root, clock, load: false }).then((commit) => commit());
    await vi.waitFor(() => expect(clock.pending).toBe(1), { timeout: 60_000 });
    await expect(access(join(root, '.virgule', 'build'))).rejects.toThrow('ENOENT');
    other[Symbol.dispose]();
    await clock.advance(50);
    await built;
    await access(join(root, 'dist', 'bot.mjs'));
    expect(await readdir(join(root, '.virgule'))).toEqual([]);
  });

  it('says that the folder for temporary files is missing', async () => {
    const project = await createStubProject({ 'commands/hello.ts': answering('Hello') });
    onTestFinished(() => project[Symbol.asyncDispose]());
    vi.stubEnv('TMPDIR', '/nonexistent');
    onTestFinished(() => void vi.unstubAllEnvs());
    const failed = await draftBuild({ root: project.root }).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 'E_BUILD_FAILED',
      message: expect.stringContaining('/nonexistent'),
    });
  });
});

describe('node dist/bot.mjs --check', () => {
  it('loads the bot and exits, without a token', async () => {
    const { root } = await build({}, '--no-load');
    const { status, stdout } = spawnSync(process.execPath, ['dist/bot.mjs', '--check'], {
      cwd: root,
      env: {},
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'No problems: 1 command.\n' });
  });
});
