import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestProject, type TestProject } from '../../test/test-project.js';
import { bundle, type Bundle } from './bundle.js';

/** A package in place of the framework: it keeps the modules of the bot. */
const FRAMEWORK = {
  'node_modules/virgule/package.json': '{ "name": "virgule", "type": "module" }',
  'node_modules/virgule/index.js': '',
  'node_modules/virgule/bot.js': `
    export const guardOutput = () => ({ settings() {} });
    export const runBot = ({ modules }) => void (globalThis.bundledModules = modules);`,
};

async function projectWith(files: Readonly<Record<string, string>>): Promise<TestProject> {
  const project = await createTestProject({});
  onTestFinished(() => project[Symbol.asyncDispose]());
  await project.remove('node_modules/virgule');
  for (const [file, text] of Object.entries({ ...FRAMEWORK, ...files }))
    await project.write(file, text);
  return project;
}

const NO_MORE = { events: [], tasks: [], services: null, config: null };
const routeOf = (file: string) => ({ name: 'x', file, middleware: [], errorHandlers: [] });

async function bundled(
  files: Readonly<Record<string, string>>,
  external?: readonly string[],
): Promise<{ root: string; result: Bundle; code: string }> {
  const { root } = await projectWith(files);
  const commands = Object.keys(files).filter((file) => /^commands\/.*[jt]s$/.test(file));
  const manifest = { commands: commands.map(routeOf), ...NO_MORE };
  const result = await bundle(root, manifest, external);
  const code = Buffer.from(result.outputs.get('bot.mjs')?.code ?? '').toString('utf8');
  return { root, result, code };
}

type Exports = Readonly<Record<string, unknown>>;

/** Writes a bundle and evaluates it; returns what the first command exports. */
async function evaluated(root: string, { outputs }: Bundle): Promise<Exports> {
  for (const [place, { code, map }] of outputs) {
    const file = join(root, 'dist', place);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, code);
    await writeFile(`${file}.map`, map);
  }
  await import(/* @vite-ignore */ pathToFileURL(join(root, 'dist/bot.mjs')).href);
  const { bundledModules } = globalThis as unknown as {
    bundledModules: Record<string, Exports>;
  };
  return Object.values(bundledModules)[0] ?? {};
}

const packageOf = (name: string, code: string, more: object = {}) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.2.3', ...more }),
  [`node_modules/${name}/index.js`]: code,
});
const ESM = { type: 'module' };
const versionsOf = ({ leftOut }: Bundle) =>
  Object.fromEntries([...leftOut].map(([name, { version }]) => [name, version]));
const reasonsOf = ({ leftOut }: Bundle) =>
  Object.fromEntries([...leftOut].map(([name, { reason }]) => [name, reason]));

describe('the packages to install next to a bundle', () => {
  it('are those that are left out, not one that is linked and in it', async () => {
    const { root } = await projectWith({
      'package.json': `{ "dependencies": { "linked": "workspace:*", "apart": "^1.0.0" } }`,
      'commands/a.ts': `import { b } from 'linked'; import { c } from 'apart'; export const a = b + c;`,
      'other/linked/package.json': `{ "name": "linked", "version": "0.0.0", "type": "module", "exports": "./index.js" }`,
      'other/linked/index.js': 'export const b = 1;',
      ...packageOf('apart', 'export const c = 2;', { type: 'module', exports: './index.js' }),
    });
    await symlink(join(root, 'other/linked'), join(root, 'node_modules/linked'));
    const manifest = { commands: [routeOf('commands/a.ts')], ...NO_MORE };
    const result = await bundle(root, manifest, ['apart']);
    expect(versionsOf(result)).toEqual({ apart: '1.2.3' });
  });

  it('include the installed peers of those, optional ones as well, in one copy for the project', async () => {
    const { result, code } = await bundled({
      'commands/a.ts': `
        import { queue } from 'queue'; import { client } from 'client';
        export const a = [queue, client];`,
      ...packageOf('queue', 'exports.queue = 1;', {
        gypfile: true,
        peerDependencies: { client: '*', 'not-imported': '*', absent: '*' },
        peerDependenciesMeta: { client: { optional: true }, absent: { optional: true } },
      }),
      ...packageOf('client', 'exports.client = "text of the client";', {
        peerDependencies: { deeper: '*' },
      }),
      ...packageOf('not-imported', ''),
      ...packageOf('deeper', ''),
    });
    expect(reasonsOf(result)).toEqual({
      client: 'peer of queue',
      deeper: 'peer of client',
      'not-imported': 'peer of queue',
      queue: 'native code',
    });
    expect(code).not.toContain('text of the client');
  });

  it('include a peer that the bot shares with the framework, which stays in the bundle', async () => {
    const { result, code } = await bundled({
      'commands/a.ts': `import { it } from 'it'; import { z } from 'zod'; export const a = [it, z];`,
      ...packageOf('it', '', { gypfile: true, peerDependencies: { zod: '*' } }),
    });
    expect(versionsOf(result)).toMatchObject({ it: '1.2.3', zod: expect.stringMatching(/^4/) });
    expect(code).not.toMatch(/from ?"zod"/);
  });

  it('include what the project depends on and can be loaded by name only, once there is one', async () => {
    const files = {
      'package.json': `{ "dependencies": { "pretty": "1", "absent": "1", "it": "1", "virgule": "1" } }`,
      'commands/a.ts': `import { it } from 'it'; export const a = it;`,
      ...packageOf('it', 'exports.it = 1;'),
      ...packageOf('pretty', ''),
      // Always in the bundle, also where nothing of its own code is left of it.
      ...packageOf('virgule', ''),
    };
    expect(reasonsOf((await bundled(files)).result)).toEqual({});
    expect(reasonsOf((await bundled(files, ['it'])).result)).toEqual({
      it: 'build.external',
      pretty: 'in dependencies, not imported',
    });
  });

  it('include a package of build.external that nothing imports by a literal name', async () => {
    const { result } = await bundled(
      { 'commands/a.ts': 'export const a = 1;', ...packageOf('it', '') },
      ['it'],
    );
    expect(versionsOf(result)).toEqual({ it: '1.2.3' });
  });
});

describe('files next to the modules of a project', () => {
  it('are copied to the same place below dist/, and found there', async () => {
    const { root, result } = await bundled({
      'commands/a.ts': `
        import { quotes, folder, target, page } from '../lib/data.js';
        export const all: string[] = [quotes, folder, target, page];`,
      'lib/data.ts': `
        export const quotes = new URL('./quotes.txt?raw', import.meta.url).href;
        export const folder = new URL('../texts/', import.meta.url).href;
        export const target = new URL('./written-later.txt', import.meta.url).href;
        export const page = new URL('https://example.com', import.meta.url).href;
        export const invalid = () => new URL('http://[', import.meta.url);`,
      'lib/quotes.txt': 'quotes',
      'texts/a.txt': 'a',
    });
    expect([...result.copies]).toEqual([join(root, 'lib/quotes.txt'), join(root, 'texts/')]);
    expect(result.warnings).toEqual([]);
    const { all } = await evaluated(root, result);
    const dist = pathToFileURL(join(root, 'dist')).href;
    expect(all).toEqual([
      `${dist}/lib/quotes.txt?raw`,
      `${dist}/texts/`,
      `${dist}/lib/written-later.txt`,
      'https://example.com/',
    ]);
  });

  it('are found whatever is in their names, apart from URLs that Node.js refuses', async () => {
    const { root, result } = await bundled({
      'commands/a.ts': `
        export const hash = new URL('./a%23b%20%25.txt', import.meta.url).href;
        export const percent = new URL('./100%.txt', import.meta.url).href;
        export const slash = new URL('./a%2Fb.txt', import.meta.url).href;`,
      'commands/a#b %.txt': '',
      'commands/100%.txt': '',
    });
    expect([...result.copies]).toEqual([join(root, 'commands/a#b %.txt')]);
    const found = await evaluated(root, result);
    const dist = pathToFileURL(join(root, 'dist/commands')).href;
    expect([found['hash'], found['percent'], found['slash']]).toEqual([
      `${dist}/a%23b%20%25.txt`,
      `${dist}/100%.txt`,
      `${dist}/a%2Fb.txt`,
    ]);
  });

  it('have their place in CommonJS as well, which is named with its line', async () => {
    const { root, result } = await bundled({
      'commands/a.ts': `
        import legacy from '../lib/legacy.cjs';
        export const place = legacy.place;`,
      'lib/legacy.cjs': `'use strict';\nmodule.exports = { place: [__dirname, __filename] };`,
    });
    expect(result.warnings).toEqual([expect.stringMatching(/^lib\/legacy\.cjs:2: .*assets\//)]);
    const { place } = await evaluated(root, result);
    expect(place).toEqual([join(root, 'dist/lib'), join(root, 'dist/lib/legacy.cjs')]);
  });

  it.each([
    ['the folder of the module', `new URL('..', import.meta.url)`],
    ['a hidden file', `new URL('../.env', import.meta.url)`],
    ['packages', `new URL('../node_modules/', import.meta.url)`],
    ['a computed name', `new URL(name, import.meta.url)`],
    ['require', `createRequire(import.meta.url)`],
    ['a path that is joined', `join(import.meta.dirname, 'x')`],
  ])('are left to the user, with their line, if they are %s', async (_, expression) => {
    const { result } = await bundled({
      'commands/a.ts': `import { createRequire } from 'node:module'; import { join } from 'node:path';
export const name: string = join('x', createRequire.name);
export const it = ${expression};`,
      '.env': 'SECRET=1',
    });
    expect([...result.copies]).toEqual([]);
    expect(result.warnings).toEqual([expect.stringMatching(/^commands\/a\.ts:3: .*assets\//)]);
  });

  it('keep the lines of the sources in the source map', async () => {
    const { root, result } = await bundled({
      'commands/a.ts': `interface Unused {}
export const url = new URL('./data.txt', import.meta.url);
export function fail(): never {
  throw new Error('from line 4');
}`,
      'commands/data.txt': '',
    });
    const { map } = result.outputs.get('bot.mjs') ?? {};
    const parsed = JSON.parse(Buffer.from(map ?? '').toString()) as {
      sources: string[];
      sourcesContent: (string | null)[];
    };
    const index = parsed.sources.indexOf('../commands/a.ts');
    expect(parsed.sourcesContent[index]).toContain('interface Unused');
    expect(Object.keys(result.sources)).toEqual(['commands/a.ts']);
    expect(root).toBeTruthy();
  });

  it('include the programs of the framework', async () => {
    const { root, result } = await bundled({
      'node_modules/@virgule/voice/package.json': '{ "name": "@virgule/voice", "type": "module" }',
      'node_modules/@virgule/voice/index.js': `
        export const place = new URL("./bin/host.js", import.meta.url).href;
        export const other = new URL("./bin/none.js", import.meta.url).href;`,
      'node_modules/@virgule/voice/bin/host.js': `import { name } from '../lib.js'; console.log(name);`,
      'node_modules/@virgule/voice/lib.js': `export const name = 'the host';`,
      'commands/x.js': `export { place } from '@virgule/voice';`,
    });
    const { place } = await evaluated(root, result);
    expect(place).toBe(pathToFileURL(join(root, 'dist/virgule/host.mjs')).href);
    expect(await readFile(join(root, 'dist/virgule/host.mjs'), 'utf8')).toContain('the host');
  });

  it('are bundled as programs of their own if they are code', async () => {
    const { root, result } = await bundled({
      'commands/a.ts': `export const worker = new URL('../lib/worker.ts', import.meta.url).href;`,
      'lib/worker.ts': `
        import { twice } from './twice.js';
        export const child = new URL('./inner.js', import.meta.url).href;
        export const answer: number = twice(21);`,
      'lib/twice.ts': 'export const twice = (n: number): number => 2 * n;',
      'lib/inner.js': 'export const inner = true;',
    });
    expect([...result.outputs.keys()]).toEqual(['bot.mjs', 'lib/worker.mjs', 'lib/inner.mjs']);
    expect(Object.keys(result.sources)).toContain('lib/twice.ts');
    const { worker } = await evaluated(root, result);
    expect(worker).toBe(pathToFileURL(join(root, 'dist/lib/worker.mjs')).href);
    expect(await import(/* @vite-ignore */ String(worker))).toMatchObject({
      answer: 42,
      child: pathToFileURL(join(root, 'dist/lib/inner.mjs')).href,
    });
  });
});

describe('a file that is imported in two forms', () => {
  it.each([
    ['with attributes', 'lib/d.json', '{ "n": 5 }', `'../lib/d.json' with { type: 'json' }`],
    ['with a query', 'lib/d.ts', 'export default { n: 5 };', `'../lib/d.ts?1'`],
  ])('is one source: %s', async (_, file, text, form) => {
    const command = (from: string) => `import d from ${from}; export const n = d.n;`;
    const { root, result } = await bundled({
      'commands/a.ts': command(form),
      'commands/b.ts': command(`'../${file}'`),
      [file]: text,
    });
    expect(Object.keys(result.sources)).toEqual(['commands/a.ts', 'commands/b.ts', file]);
    expect(await evaluated(root, result)).toEqual({ n: 5 });
  });
});

describe('a warning of the bundler', () => {
  it('is shown with its line for own files, and not for packages', async () => {
    const pointless = `export const a = typeof globalThis === 'nothing';`;
    const { result } = await bundled({
      'commands/a.ts': `import 'it';\n${pointless}`,
      ...packageOf('it', pointless, { type: 'module' }),
    });
    expect(result.warnings).toEqual([
      'commands/a.ts:2: The "typeof" operator will never evaluate to "nothing"',
    ]);
  });

  it('names an import for its effects that a package.json declares to have none', async () => {
    const { result } = await bundled({
      'package.json': '{ "type": "module", "sideEffects": false }',
      'commands/a.ts': `import '../lib/register.js';\nexport const a = 1;`,
      'lib/register.ts': 'globalThis.registered = true;',
    });
    expect(result.warnings).toEqual([
      expect.stringMatching(/^commands\/a\.ts:1: Ignoring this import .*side effects/),
    ]);
  });

  it('names an import() of which nothing is known', async () => {
    const { result } = await bundled({
      'commands/a.ts': `export const a = 1;
export const load = (name: string) => import(name);
export const language = (name: string) => import(\`../lang/\${name}.js\`);`,
      'lang/en.ts': '',
    });
    expect(result.warnings).toEqual([
      expect.stringMatching(/^commands\/a\.ts:2: .*not be bundled/),
      expect.stringMatching(/^commands\/a\.ts:3: .*did not match any files/),
    ]);
  });
});

describe('a package that is CommonJS', () => {
  it('is imported as by Node.js from a package of ES modules', async () => {
    const { root, result } = await bundled({
      'commands/a.ts': `import { value } from 'outer'; export const a = value;`,
      ...packageOf('outer', `import it from 'it'; export const value = it;`, { type: 'module' }),
      ...packageOf('it', 'exports.__esModule = true; exports.default = 5;'),
    });
    const { a } = await evaluated(root, result);
    expect(a).toEqual({ __esModule: true, default: 5 });
  });
});

describe('packages that the bundler cannot take', () => {
  const namesOf = ({ leftOut }: Bundle): string[] => [...leftOut.keys()];
  const FRAMEWORK_WITH_FIGLET = {
    'node_modules/virgule/bot.js': `${FRAMEWORK['node_modules/virgule/bot.js']}
        import { it } from 'figlet'; console.debug.it = it;`,
  };

  it.each([
    ['one of the list', 'figlet', 'reads its own files'],
    ['one that loads a native addon', 'it', 'native code'],
  ])('are left out: %s', async (_, name, reason) => {
    const { result, code } = await bundled({
      'commands/a.ts': `import { it } from '${name}'; export const a = it;`,
      ...packageOf(name, 'exports.it = () => require("./it.node");'),
      [`node_modules/${name}/it.node`]: '',
    });
    expect(reasonsOf(result)).toEqual({ [name]: reason });
    expect(versionsOf(result)).toEqual({ [name]: '1.2.3' });
    expect(code).toContain(`from"${name}"`);
  });

  it('are left out for the project and bundled for the framework', async () => {
    const figlet = packageOf('figlet', 'exports.it = "text of it";');
    const files = { ...FRAMEWORK_WITH_FIGLET, ...figlet };
    const unused = await bundled({ 'commands/a.ts': 'export const a = 1;', ...files });
    expect(namesOf(unused.result)).toEqual([]);
    expect(unused.code).toContain('text of it');
    const used = await bundled({
      'commands/a.ts': `import { it } from 'figlet'; export const a = it;`,
      ...files,
    });
    expect(namesOf(used.result)).toEqual(['figlet']);
    expect(used.code).toContain('text of it');
  });

  it('take the packages below them along, apart from those that the framework bundles', async () => {
    const { result, code } = await bundled({
      'commands/a.ts': `import { outer } from 'outer'; export const a = outer;`,
      ...FRAMEWORK_WITH_FIGLET,
      ...packageOf('outer', 'exports.outer = [require("figlet"), "text of outer"];', {
        gypfile: true,
      }),
      ...packageOf('figlet', 'exports.it = "text of figlet";'),
    });
    expect(namesOf(result)).toEqual(['outer']);
    expect(code).toContain('text of figlet');
    expect(code).not.toContain('text of outer');
  });

  it.each([
    ['on the list', 'figlet', {}],
    ['native', 'it', { gypfile: true }],
  ])(
    'stay with the package that imports them if the project cannot import them: %s',
    async (_, name, more) => {
      const { result } = await bundled({
        'commands/a.ts': `import { outer } from 'outer'; export const a = outer;`,
        ...packageOf('outer', `exports.outer = require("${name}");`),
        [`node_modules/outer/node_modules/${name}/package.json`]: JSON.stringify({ name, ...more }),
        [`node_modules/outer/node_modules/${name}/index.js`]: '',
      });
      expect(reasonsOf(result)).toEqual({ outer: `needs ${name}` });
    },
  );

  it('stay with the package that imports them if the project imports another copy', async () => {
    const { result } = await bundled({
      'commands/a.ts': `import { outer } from 'outer'; export const a = outer;`,
      ...packageOf('outer', 'exports.outer = require("figlet");'),
      ...packageOf('outer/node_modules/figlet', ''),
      ...packageOf('figlet', ''),
    });
    expect(namesOf(result)).toEqual(['outer']);
  });

  it('are left out on request', async () => {
    const files = {
      'commands/a.ts': `import { it } from '@me/it/part.js'; export const a = it;`,
      'node_modules/@me/it/package.json': '{ "name": "@me/it", "version": "2.0.0" }',
      'node_modules/@me/it/part.js': 'exports.it = 1;',
    };
    expect(namesOf((await bundled(files)).result)).toEqual([]);
    const { result, code } = await bundled(files, ['@me/it']);
    expect(namesOf(result)).toEqual(['@me/it']);
    expect(code).toContain('"@me/it/part.js"');
  });

  it('are found behind links, as pnpm installs them', async () => {
    const store = 'node_modules/.pnpm/figlet@1.2.3/node_modules';
    const project = await projectWith({
      'commands/a.ts': `import { it } from 'figlet'; export const a = it;`,
      [`${store}/figlet/package.json`]: '{ "name": "figlet", "version": "1.2.3" }',
      [`${store}/figlet/index.js`]: 'exports.it = require("inner");',
      [`${store}/inner/package.json`]: '{ "name": "inner" }',
      [`${store}/inner/index.js`]: 'exports.inner = 1;',
    });
    const { root } = project;
    await symlink('.pnpm/figlet@1.2.3/node_modules/figlet', join(root, 'node_modules/figlet'));
    const manifest = { commands: [routeOf('commands/a.ts')], ...NO_MORE };
    const result = await bundle(root, manifest);
    expect(namesOf(result)).toEqual(['figlet']);
    expect(versionsOf(result)).toEqual({ figlet: '1.2.3' });
  });
});

describe('a bundled package that misses a file', () => {
  it.each([
    ['__dirname', 'exports.it = require("path").join(__dirname, "x");', {}],
    ['__filename', 'exports.it = require("path").join(__filename, "../x");', {}],
    ['import.meta.url', 'export const it = new URL("x", import.meta.url).pathname;', ESM],
    ['import.meta.dirname', 'export const it = import.meta.dirname + "/x";', ESM],
  ])('names the setting and itself in the path: %s', async (_, code, more) => {
    const { root, result } = await bundled({
      'commands/a.ts': `export { it } from '@me/it';`,
      ...packageOf('@me/it', code, more),
      'node_modules/@me/it/x': '',
    });
    expect([...result.copies]).toEqual([]);
    expect(result.warnings).toEqual([]);
    expect(await evaluated(root, result)).toEqual({
      it: join(root, 'dist/build.external/@me/it/x'),
    });
  });
});

describe('packages that are not installed', () => {
  it.each([
    ['an optional peer', { peerDependenciesMeta: { absent: { optional: true } } }],
    ['an optional dependency', { optionalDependencies: { absent: '1' } }],
  ])('are no error where they are %s', async (_, more) => {
    const { root, result } = await bundled({
      'commands/a.ts': `import { load } from 'it'; export { load };`,
      'node_modules/it/package.json': JSON.stringify({ name: 'it', type: 'module', ...more }),
      'node_modules/it/index.js': `export const load = () => import('absent');`,
    });
    expect([...result.leftOut.keys()]).toEqual([]);
    const { load } = (await evaluated(root, result)) as { load: () => Promise<unknown> };
    await expect(load()).rejects.toMatchObject({ code: 'ERR_MODULE_NOT_FOUND' });
  });

  it('are an error with their place where they are needed', async () => {
    await expect(
      bundled({ 'commands/a.ts': `export const a = 1;\nimport 'absent';` }),
    ).rejects.toMatchObject({
      code: 'E_BUILD_FAILED',
      location: { file: 'commands/a.ts', line: 2 },
    });
  });
});

describe('CommonJS in an ES module', () => {
  it('is a warning with its place, since Node.js cannot run it', async () => {
    const { result } = await bundled({
      'commands/a.js': `import '../lib/old.js'; export const a = 1;`,
      'lib/old.js': `\nmodule.exports = { old: true };`,
    });
    expect(result.warnings).toEqual([expect.stringMatching(/^lib\/old\.js:2: /)]);
  });
});

describe('a bundle', () => {
  it('names the file of the project that is behind a file of a package', async () => {
    const { result } = await bundled({
      'commands/a.ts': `export { a } from '../lib/a.js';`,
      'lib/a.ts': `export { it as a } from 'outer';`,
      'node_modules/outer/index.js': `export { it } from 'it';`,
      'node_modules/it/index.js': 'export const it = 1;',
    });
    const { graph } = result;
    const behind = (path: string) => {
      const file = graph.files.get(path);
      return file && graph.behind(file, (at) => at.isOwn).map((found) => found.path);
    };
    expect(behind('node_modules/it/index.js')).toEqual(['lib/a.ts']);
    expect(behind('commands/a.ts')).toEqual(['commands/a.ts']);
  });

  it('can be read back from disk', async () => {
    const { root, result } = await bundled({ 'commands/a.ts': 'export const a = 1;' });
    expect(await evaluated(root, result)).toEqual(expect.objectContaining({ a: 1 }));
    expect(await readFile(join(root, 'dist/bot.mjs'), 'utf8')).toContain('sourceMappingURL');
    expect(fileURLToPath(pathToFileURL(root))).toBe(root);
  });
});
