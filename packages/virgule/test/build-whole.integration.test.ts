import { createHash } from 'node:crypto';
import * as disk from 'node:fs/promises';
import { access, cp, readdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { startSimulator } from '@virgule/simulator';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { draftBuild } from '../src/build/build-bot.js';
import type { BuildFiles } from '../src/build/replace-build.js';
import { run } from '../src/commands/command-line.js';
import { createTestIo } from './test-io.js';
import {
  answering,
  createStubProject,
  createTestProject,
  type TestProject,
} from './test-project.js';

const FILES = {
  'commands/hello.ts': `import { greeting } from '../lib/greeting.js';
export default { description: 'Hello', run: () => greeting };`,
  'lib/greeting.ts': `export const greeting = 'Hello';`,
  'assets/logo.svg': '<svg/>',
  'assets/sounds/ding.txt': 'ding',
};

async function projectWith(files: Readonly<Record<string, string>> = FILES): Promise<TestProject> {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  return project;
}

async function smallProject(files: Readonly<Record<string, string>> = FILES): Promise<TestProject> {
  const project = await createStubProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  return project;
}

async function build({ root }: TestProject, ...argv: string[]) {
  const io = createTestIo({ cwd: root });
  const code = await run(['build', ...argv], io);
  return { code, out: io.out, err: io.err };
}

/** Every file below a folder, with its bytes as text. */
async function contentOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length + 1), await readFile(path, 'latin1')] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

const distOf = ({ root }: TestProject): string => join(root, 'dist');
const manifestOf = async ({ root }: TestProject) =>
  JSON.parse(await readFile(join(root, 'dist', 'manifest.json'), 'utf8')) as {
    readonly hash: string;
    readonly sources: Record<string, string>;
    readonly assets: string[];
  };

describe('what virgule build writes', () => {
  /** Two folders with the same files, among them each kind that a bot has. */
  const WHOLE = {
    ...FILES,
    'commands/tools/_middleware.ts': `
      import { defineMiddleware } from 'virgule';
      export default defineMiddleware(async (_, next) => { await next(); });`,
    'commands/tools/now.ts': answering('now'),
    'events/message-create.ts': `
      import { defineEvent } from 'virgule';
      export default defineEvent('MESSAGE_CREATE', () => {});`,
  };
  let project: TestProject;
  let other: TestProject;
  let built: Awaited<ReturnType<typeof build>>;
  beforeAll(async () => {
    [project, other] = [await createTestProject(WHOLE), await createTestProject(WHOLE)];
    built = await build(project, '--json');
    await build(other);
    return async () => {
      await project[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
    };
  });

  it('is the bundle, its source map, the manifest with the hash of the bundle, and the assets', async () => {
    const { code, out } = built;
    expect(code).toBe(0);
    const dist = await contentOf(distOf(project));
    expect(Object.keys(dist).toSorted()).toEqual([
      'THIRD_PARTY.txt',
      'assets/logo.svg',
      'assets/sounds/ding.txt',
      'bot.mjs',
      'bot.mjs.map',
      'manifest.json',
      'package.json',
    ]);
    expect(JSON.parse(dist['package.json'] ?? '')).toEqual({
      private: true,
      type: 'module',
      dependencies: {},
    });
    expect(dist['THIRD_PARTY.txt']).toMatch(/zod 4\.\S+ \(MIT\)\n\nMIT License\n\nCopyright/);
    expect(dist['assets/logo.svg']).toBe('<svg/>');
    const { hash, sources, assets } = await manifestOf(project);
    const bot = await readFile(join(distOf(project), 'bot.mjs'));
    expect(hash).toBe(createHash('sha256').update(bot).digest('hex'));
    expect(Object.keys(sources)).toEqual([
      'commands/hello.ts',
      'commands/tools/_middleware.ts',
      'commands/tools/now.ts',
      'events/message-create.ts',
      'lib/greeting.ts',
    ]);
    expect(assets).toEqual(['assets/logo.svg', 'assets/sounds/ding.txt']);
    expect(JSON.parse(out)).toMatchObject({
      v: 1,
      hash,
      assets,
      file: 'dist/bot.mjs',
      commands: 2,
      events: 1,
      external: {},
      types: 'no-tsconfig',
    });
  });

  it('has the commands as they are registered in its manifest', async () => {
    expect(await manifestOf(project)).toMatchObject({
      v: 1,
      commands: [
        { name: 'hello' },
        { name: 'tools-now', middleware: ['commands/tools/_middleware.ts'] },
      ],
      registered: [
        { name: 'hello', description: 'Hello', options: [] },
        { name: 'tools-now', description: 'Answer', options: [] },
      ],
    });
  });

  it('is the same, byte for byte, in two folders', async () => {
    expect(await contentOf(distOf(project))).toEqual(await contentOf(distOf(other)));
    expect(await contentOf(distOf(project))).not.toEqual({});
  });

  it('has the texts of the own files in its source map, and of packages the positions only', async () => {
    const project = await smallProject({
      ...FILES,
      'commands/hello.ts': `import { defineCommand } from 'virgule';
import { greeting } from '../lib/greeting.js';
export default defineCommand({ description: 'Hello', run: () => greeting });`,
    });
    await build(project);
    const map = JSON.parse(await readFile(join(distOf(project), 'bot.mjs.map'), 'utf8')) as {
      readonly sources: string[];
      readonly sourcesContent: (string | null)[];
    };
    const texts = Object.fromEntries(
      map.sources.map((source, n) => [source, map.sourcesContent[n]] as const),
    );
    expect(texts).toMatchObject({
      '../lib/greeting.ts': FILES['lib/greeting.ts'],
      '../node_modules/virgule/index.js': null,
    });
    expect(texts['../commands/hello.ts']).toContain('run: () => greeting');
  });

  it('is condensed to lines that can be read in an error, with the names in it kept', async () => {
    const project = await smallProject({
      'commands/hello.ts': `
        // This remark is not for the bot.
        class GreetingIsOver extends Error {}
        const greetSomebody = (name: string): string => {
          if (name === '') throw new GreetingIsOver('over');
          return 'Hello, ' + name;
        };
        export default { description: 'Hello', run: () => greetSomebody('you') };`,
    });
    await build(project);
    const bot = await readFile(join(distOf(project), 'bot.mjs'), 'utf8');
    expect(bot).toContain('GreetingIsOver=class extends Error');
    expect(bot).toContain('greetSomebody=');
    expect(bot).not.toContain('not for the bot');
    const lengths = bot.split('\n').map((line) => line.length);
    expect(Math.max(...lengths)).toBeLessThan(400);
  });

  it('loses the assets that are gone, and keeps what is not of the build', async () => {
    const project = await smallProject();
    await build(project);
    await project.write('dist/notes.txt', 'mine');
    await project.remove('assets/logo.svg');
    await build(project);
    const dist = await contentOf(distOf(project));
    expect(dist).not.toHaveProperty('assets/logo.svg');
    expect(dist).toMatchObject({ 'assets/sounds/ding.txt': 'ding', 'notes.txt': 'mine' });
  });
});

describe('files next to the modules of a project', () => {
  it('are copied, and gone with the next build when nothing reaches them any more', async () => {
    const project = await smallProject({
      ...FILES,
      'lib/greeting.ts': `
        import { readFileSync } from 'node:fs';
        export const greeting = readFileSync(new URL('./data/hello.txt', import.meta.url), 'utf8');`,
      'lib/data/hello.txt': 'Hello',
      'texts/one.txt': 'one',
      'texts/.env': 'SECRET=1',
      'commands/all.ts': `
        const folder = new URL('../texts/', import.meta.url);
        export default { description: 'All', run: () => folder.href };`,
    });
    expect(await build(project)).toMatchObject({ code: 0 });
    const dist = await contentOf(distOf(project));
    expect(dist).toMatchObject({ 'lib/data/hello.txt': 'Hello', 'texts/one.txt': 'one' });
    expect(dist).not.toHaveProperty('texts/.env');
    await project.write('lib/greeting.ts', FILES['lib/greeting.ts']);
    await project.remove('commands/all.ts');
    expect(await build(project)).toMatchObject({ code: 0 });
    const next = Object.keys(await contentOf(distOf(project)));
    expect(next.filter((file) => /^(?:lib|texts)/.test(file))).toEqual([]);
  });

  it('leave out hidden files of assets, and links', async () => {
    const project = await smallProject({
      ...FILES,
      'assets/.env': 'SECRET=1',
      'assets/.git/config': '',
    });
    const outside = await projectWith({ 'secret.txt': 'secret' });
    await symlink(join(outside.root, 'secret.txt'), join(project.root, 'assets', 'linked.txt'));
    await build(project);
    const dist = Object.keys(await contentOf(distOf(project)));
    expect(dist.filter((file) => file.startsWith('assets')).toSorted()).toEqual([
      'assets/logo.svg',
      'assets/sounds/ding.txt',
    ]);
  });
});

describe('a full disk', () => {
  const full = (): Error =>
    Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    });

  it.each<[string, Partial<BuildFiles>]>([
    ['the first file', { writeFile: () => Promise.reject(full()) }],
    [
      'the manifest',
      {
        writeFile: (path, content) =>
          typeof path === 'string' && path.endsWith('manifest.json')
            ? Promise.reject(full())
            : disk.writeFile(path, content),
      },
    ],
    ['the assets', { copyFile: () => Promise.reject(full()) }],
    [
      'the swap',
      {
        rename: (from, to) =>
          String(to).endsWith(join('dist', 'bot.mjs')) && !String(from).includes('build-before')
            ? Promise.reject(full())
            : disk.rename(from, to),
      },
    ],
  ])('leaves the earlier build whole when it is full at %s', async (_, broken) => {
    const project = await smallProject();
    await build(project);
    const before = await contentOf(distOf(project));
    await project.write('commands/hello.ts', answering('Changed'));
    const files = { ...disk, ...broken };
    const building = draftBuild({ root: project.root, files }).then((commit) => commit());
    await expect(building).rejects.toMatchObject({
      code: 'E_BUILD_FAILED',
      message: expect.stringContaining('no space left on device'),
      hint: expect.stringContaining('free disk space, and build again'),
    });
    expect(await contentOf(distOf(project))).toEqual(before);
    await expect(access(join(project.root, '.virgule', 'build'))).rejects.toThrow('ENOENT');
    // With room again it goes through.
    expect((await build(project)).code).toBe(0);
    expect(await contentOf(distOf(project))).not.toEqual(before);
  });

  it('says that a place cannot be written', async () => {
    const project = await smallProject();
    await project.write('dist', 'a file');
    const { code, err } = await build(project);
    expect(code).toBe(1);
    expect(err).toContain('[E_BUILD_FAILED]');
    expect(err).toContain('Make that path accessible');
  });
});

it('replaces no file of the project if dist is a link to it', async () => {
  const project = await smallProject();
  await symlink('.', join(project.root, 'dist'));
  const { code, err } = await build(project);
  expect(code).toBe(1);
  expect(err).toContain(
    '[E_BUILD_FAILED] The bot could not be built: dist is a link to the project',
  );
  expect(await readFile(join(project.root, 'package.json'), 'utf8')).toContain('test-bot');
  expect(await readdir(join(project.root, 'assets'))).toContain('logo.svg');
  await expect(access(join(project.root, 'dist', 'bot.mjs'))).rejects.toThrow('ENOENT');
});

describe('types', () => {
  const TSCONFIG = '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["lib"] }';
  const WRONG = {
    ...FILES,
    'tsconfig.json': TSCONFIG,
    'lib/wrong.ts': 'export const a: string = 1;',
  };

  async function withTypeScript(files: Readonly<Record<string, string>>): Promise<TestProject> {
    const project = await smallProject(files);
    const installed = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
    await symlink(installed, join(project.root, 'node_modules', 'typescript'));
    return project;
  }

  it('are checked first, and nothing is built when they are wrong', async () => {
    const project = await withTypeScript(WRONG);
    const { code, err } = await build(project);
    expect(code).toBe(1);
    expect(err).toContain('[E_TYPES] TypeScript found 1 error. Nothing was built.');
    expect(err).toContain('at lib/wrong.ts:1:14');
    await expect(access(distOf(project))).rejects.toThrow('ENOENT');
  });

  it('are declared before they are checked', async () => {
    const project = await withTypeScript({
      ...FILES,
      'services.ts': 'export default () => ({});',
      'tsconfig.json':
        '{ "compilerOptions": { "types": [], "skipLibCheck": true }, "include": [".virgule/types.d.ts"] }',
    });
    expect(await build(project)).toMatchObject({ code: 0, err: '' });
  });

  it('are not checked with --no-types', async () => {
    const project = await withTypeScript(WRONG);
    expect(await build(project, '--no-types')).toMatchObject({ code: 0, err: '' });
  });

  it('are no matter in a project of JavaScript', async () => {
    const project = await smallProject({
      'commands/hello.js': `export default { description: 'Hello', run: () => 'Hello' };`,
    });
    const { code, out, err } = await build(project, '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ types: 'no-typescript' });
  });

  it('are said to be unchecked when TypeScript is not installed', async () => {
    const project = await smallProject({ ...FILES, 'tsconfig.json': TSCONFIG });
    const { code, err } = await build(project);
    expect(code).toBe(0);
    expect(err).toBe('Types were not checked: TypeScript is not installed.\n');
  });
});

describe('virgule deploy in a folder that has nothing but dist/', () => {
  async function openBuilt(files: Readonly<Record<string, string>> = FILES) {
    const platform = await startSimulator();
    onTestFinished(() => platform.close());
    const project = await smallProject(files);
    await build(project);
    const bare = await createTestProject({});
    onTestFinished(() => bare[Symbol.asyncDispose]());
    await cp(distOf(project), join(bare.root, 'dist'), { recursive: true });
    const env = {
      BOT_TOKEN: platform.token,
      BOT_BASE_URL: platform.baseUrl,
      BOT_GATEWAY_URL: platform.gatewayUrl,
    };
    const deploy = async (given: Record<string, string> = env) => {
      const io = createTestIo({ cwd: bare.root, env: given });
      const code = await run(['deploy', '--yes'], io);
      return { code, out: io.out, err: io.err };
    };
    return { platform, bare, deploy };
  }

  it('registers what was built', async () => {
    const { platform, deploy } = await openBuilt();
    const { code, out } = await deploy();
    expect(code).toBe(0);
    expect(out).toContain('Comparing 1 built command with 0 registered');
    expect(out).toContain('+ /hello  "Hello"  commands/hello.ts');
    expect(platform.snapshot().commands).toMatchObject([{ name: 'hello' }]);
  });

  it('takes the addresses from the configuration that was built in', async () => {
    const platform = await startSimulator();
    onTestFinished(() => platform.close());
    const { deploy } = await openBuilt({
      ...FILES,
      'virgule.config.ts': `export default { baseUrl: '${platform.baseUrl}', gatewayUrl: '${platform.gatewayUrl}' };`,
    });
    expect((await deploy({ BOT_TOKEN: platform.token })).code).toBe(0);
    expect(platform.snapshot().commands).toMatchObject([{ name: 'hello' }]);
  });

  it.each([
    ['dist/bot.mjs', 'another', 'E_BUILD_UNUSABLE', 'belongs to another build'],
    ['dist/manifest.json', '{ "v": 9 }', 'E_BUILD_UNUSABLE', 'v: '],
    ['dist/manifest.json', 'no JSON', 'E_BUILD_UNUSABLE', 'not valid JSON'],
  ])('refuses another %s: %s', async (file, text, errorCode, reason) => {
    const { platform, bare, deploy } = await openBuilt();
    await bare.write(file, text);
    const { code, err } = await deploy();
    expect(code).toBe(1);
    expect(err).toContain(`[${errorCode}]`);
    expect(err).toContain(reason);
    expect(platform.snapshot().commands).toEqual([]);
  });

  it('reads the sources where there are some', async () => {
    const { platform, bare, deploy } = await openBuilt();
    await bare.write('commands/new.ts', answering('new'));
    expect((await deploy()).code).toBe(0);
    expect(platform.snapshot().commands).toMatchObject([{ name: 'new' }]);
  });
});
