import { chmodSync, symlinkSync } from 'node:fs';
import { extname } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { failureOf } from './failure-of.js';
import { createLoadedProject } from './project-folder.js';

/** A user who is not root. */
const UNPRIVILEGED = 65_534;

describe('importModule, failures', () => {
  it('reports file, line, column and frame of a syntax error', async () => {
    const { load, path } = createLoadedProject({
      'commands/a.ts': `import { b } from './b.js';\nexport const a = b;\n`,
      'commands/b.ts': `export const one = 1;\nexport const b: string = 'é' + ;\nexport const two = 2;\n`,
    });
    expect(await failureOf(load('commands/a.ts'))).toMatchObject({
      code: 'E_SYNTAX',
      message: 'commands/b.ts:2:32 cannot be read: Unexpected ";"',
      location: { file: path('commands/b.ts'), line: 2, column: 32 },
      frame: [
        `  1 | export const one = 1;`,
        `> 2 | export const b: string = 'é' + ;`,
        `    |                                ^`,
        `  3 | export const two = 2;`,
        `  4 |`,
      ].join('\n'),
    });
  });

  it('names the encoding of a file in UTF-16', async () => {
    const { load } = createLoadedProject({
      'a.ts': Buffer.from('\uFEFFexport const a = 1;', 'utf16le').toString('utf8'),
    });
    expect(await failureOf(load('a.ts'))).toMatchObject({
      code: 'E_SYNTAX',
      message: expect.stringContaining('it is not text in UTF-8, perhaps UTF-16'),
      hint: 'Save the file with the encoding UTF-8.',
    });
  });

  it('reports the location of an error that only V8 finds', async () => {
    const { load } = createLoadedProject({
      'a.ts': `interface A {}\n\nexport const a = 1;\nexport const b = /(?<n>a)(?<n>b)/;\n`,
    });
    expect(await failureOf(load('a.ts'))).toMatchObject({
      code: 'E_SYNTAX',
      location: { line: 4 },
    });
  });

  it.each([
    ['Object.create(null)', '{}'],
    ['{ code: 1 }', '{"code":1}'],
    [
      '(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; })()',
      '',
    ],
    ["Object.defineProperty(new Error(), 'stack', { get() { throw new Error('no stack'); } })", ''],
    ["Object.defineProperty({}, 'message', { get() { throw new Error('no message'); } })", ''],
  ])('reports a file that throws %s', async (thrown, reason) => {
    const { load } = createLoadedProject({ 'a.ts': `throw ${thrown};` });
    expect(await failureOf(load('a.ts'))).toMatchObject({
      code: 'E_LOAD_FAILED',
      message: expect.stringContaining(reason),
    });
  });

  it('reports the location in broken JSON', async () => {
    const { load } = createLoadedProject({
      'a.ts': `import './b.json';`,
      'b.json': '{\n  "a": 1,,\n}',
    });
    expect(await failureOf(load('a.ts'))).toMatchObject({
      code: 'E_SYNTAX',
      message: expect.stringMatching(/^b\.json:2:10 cannot be read: /),
    });
  });

  it('reports the location of a syntax error in a file that might have been CommonJS', async () => {
    const { load } = createLoadedProject({
      'package.json': '{ "name": "bot" }',
      'a.ts': `import './b.js';`,
      'b.js': `const ok = 1;\nimport { c from './c.js';\n`,
    });
    expect(await failureOf(load('a.ts'))).toMatchObject({
      code: 'E_SYNTAX',
      message: 'b.js:2:12 cannot be read: Expected "}" but found "from"',
    });
  });

  it('names the file of an error whose stack has no location', async () => {
    const { load, path } = createLoadedProject({
      'a.ts': `throw Object.assign(new Error('made elsewhere'), { stack: 'Error: made elsewhere' });`,
    });
    expect(await failureOf(load('a.ts'))).toMatchObject({
      message: 'a.ts threw while it was loaded: made elsewhere',
      location: { file: path('a.ts'), line: undefined },
      frame: '',
    });
  });

  it('reports where code threw while it was loaded, and keeps the cause', async () => {
    const { load, path } = createLoadedProject({
      'a.ts': `import './b.js';`,
      'b.ts': `type Unused = {\n  a: 1;\n};\n\nfunction connect(url: string): never {\n  throw new TypeError('no ' + url);\n}\nconnect('database');\n`,
    });
    const failure = await failureOf(load('a.ts'));
    expect(failure).toMatchObject({
      code: 'E_LOAD_FAILED',
      message: 'b.ts:6:9 threw while it was loaded: no database',
      location: { file: path('b.ts'), line: 6, column: 9 },
      cause: expect.any(TypeError),
    });
    expect(failure['frame']).toContain(`> 6 |   throw new TypeError('no ' + url);`);
  });

  it.each(['./page.md', './query.sql?raw', './style.css'])(
    'says how to read %s, which is not code',
    async (specifier) => {
      const { load } = createLoadedProject({
        'a.ts': `import text from '${specifier}';\nexport const a = text;`,
        [specifier.replace('?raw', '')]: 'text',
      });
      const file = specifier.replace('?raw', '');
      expect(await failureOf(load('a.ts'))).toMatchObject({
        code: 'E_LOAD_FAILED',
        message: expect.stringContaining(`a.ts:1:18 imports "${specifier}", which failed to load`),
        hint: `Only code and JSON can be imported, not ${extname(file)}. Read the file with node:fs: readFileSync(new URL('${file}', import.meta.url), 'utf8').`,
      });
    },
  );

  it('says what to do with TypeScript as CommonJS', async () => {
    const { load } = createLoadedProject({
      'a.ts': `import { b } from './b.cjs';\nexport const a = b;`,
      'b.cts': `exports.b = 1 as number;`,
    });
    // Node.js 22.18 and later run it.
    if ('typescript' in process.features && process.features.typescript) return;
    expect(await failureOf(load('a.ts'))).toMatchObject({
      code: 'E_LOAD_FAILED',
      hint: expect.stringContaining('rename the file to .ts'),
    });
  });

  it('reports what is not an error as well', async () => {
    const { load, path } = createLoadedProject({ 'a.ts': `throw 'just text';` });
    expect(await failureOf(load('a.ts'))).toMatchObject({
      code: 'E_LOAD_FAILED',
      message: 'a.ts threw while it was loaded: just text',
      location: { file: path('a.ts') },
    });
  });

  it('keeps the code and hint of a coded error and adds the place', async () => {
    const { load } = createLoadedProject({
      'a.ts': `import { VirguleError } from '@virgule/core/errors';\n\nthrow new VirguleError({ code: 'E_OWN', kind: 'user', message: 'own', hint: 'hint', details: { x: 1 } });`,
    });
    expect(await failureOf(load('a.ts'))).toMatchObject({
      code: 'E_OWN',
      message: 'own',
      hint: 'hint',
      location: { line: 3, column: 7 },
    });
  });

  it('names a file that this user may not read, at first or later', async () => {
    const { root, load, path, loader } = createLoadedProject({
      'a.ts': `import './b.js';`,
      'b.ts': '',
      'c.ts': '',
    });
    await load('c.ts');
    for (const file of ['b.ts', 'c.ts']) chmodSync(path(file), 0);
    // Root may read everything.
    chmodSync(root, 0o755);
    const user = process.geteuid?.();
    if (user === 0) process.seteuid?.(UNPRIVILEGED);
    try {
      for (const [asked, file] of [
        ['a.ts', 'b.ts'],
        ['c.ts', 'c.ts'],
      ] as const) {
        await loader.apply([path('c.ts')]);
        expect(await failureOf(load(asked))).toMatchObject({
          code: 'E_PROJECT_UNREADABLE',
          message: expect.stringContaining(`${file} cannot be read: EACCES`),
        });
      }
    } finally {
      if (user === 0) process.seteuid?.(0);
    }
  });

  it('names importer and line of a file or package that does not exist', async () => {
    const { load, path } = createLoadedProject({
      'a.ts': `import { join } from 'node:path';\nimport { type B, b } from './b.js';\nexport const a: B = join(b);\n`,
      'c.ts': `\nimport x from '@some/package/deep';\nexport default x;`,
      'd.ts': `import x from 'pkg/none';\nexport default x;`,
      'node_modules/pkg/package.json': '{ "name": "pkg", "exports": { ".": "./index.js" } }',
    });
    expect(await failureOf(load('a.ts'))).toMatchObject({
      code: 'E_MODULE_NOT_FOUND',
      message: 'a.ts:2:27 imports "./b.js", which does not exist.',
      hint: 'Correct the path of the import, or create b.ts.',
      location: { file: path('a.ts'), line: 2, column: 27 },
      frame: expect.stringContaining(`> 2 | import { type B, b } from './b.js';`),
    });
    expect(await failureOf(load('c.ts'))).toMatchObject({
      code: 'E_MODULE_NOT_FOUND',
      message: 'c.ts:2:15 imports "@some/package/deep", which does not exist.',
      hint: 'Install it (npm install @some/package), or check its name.',
    });
    expect(await failureOf(load('d.ts'))).toMatchObject({
      code: 'E_MODULE_NOT_FOUND',
      location: { line: 1 },
    });
    expect(await failureOf(load('none.ts'))).toMatchObject({
      code: 'E_MODULE_NOT_FOUND',
      message: 'The file none.ts does not exist.',
    });
  });

  it.each([
    ['is below a file', './b.ts/x.js', 'E_MODULE_NOT_FOUND'],
    ['is a link to itself', './loop.js', 'E_MODULE_NOT_FOUND'],
    ['is longer than names can be', `./${'a'.repeat(300)}.js`, 'E_MODULE_NOT_FOUND'],
    ['has a zero in it', String.raw`./a\0b.js`, 'E_MODULE_NOT_FOUND'],
    ['is a URL that is no path', 'file:///%zz.js', 'E_LOAD_FAILED'],
    ['is a URL of another machine', 'file://elsewhere/b.js', 'E_LOAD_FAILED'],
  ])('names importer and line of a path that %s', async (_, specifier, code) => {
    const { load, path } = createLoadedProject({
      'a.ts': `\nimport x from '${specifier}';\nexport default x;`,
      'b.ts': '',
    });
    symlinkSync('loop.js', path('loop.js'));
    expect(await failureOf(load('a.ts'))).toMatchObject({
      code,
      // The line is searched for the path, which must have no escapes.
      location: { file: path('a.ts'), line: specifier.includes('\\') ? undefined : 2 },
    });
  });

  it('reports a folder that was replaced by a file, and keeps what was loaded', async () => {
    const { edit, load, loader, path, remove, write } = createLoadedProject({
      'a.ts': `import { x } from './lib/x.js';\nexport const a = x;`,
      'lib/x.ts': 'export const x = 1;',
    });
    await load('a.ts');
    remove('lib');
    write('lib', 'no folder');
    const { failures } = await loader.apply([path('lib/x.ts'), path('lib')]);
    expect(failures).toMatchObject([{ code: 'E_MODULE_NOT_FOUND' }]);
    expect(await load('a.ts')).toMatchObject({ a: 1 });
    remove('lib');
    await edit({ 'lib/x.ts': 'export const x = 2;' });
    expect(await load('a.ts')).toMatchObject({ a: 2 });
  });

  it('runs nothing when an import does not resolve', async () => {
    const { load } = createLoadedProject({
      'a.ts': `import './b.js'; import './c.js';`,
      'b.ts': `globalThis.process.emit('virgule-test-ran' as never);`,
      'c.ts': `import './none.js';`,
    });
    const ran = vi.fn();
    process.once('virgule-test-ran' as never, ran);
    await expect(load('a.ts')).rejects.toMatchObject({ code: 'E_MODULE_NOT_FOUND' });
    expect(ran).not.toHaveBeenCalled();
    process.removeAllListeners('virgule-test-ran');
  });

  it('names an import that the other module does not export', async () => {
    const { load } = createLoadedProject({
      'a.ts': `\nimport { hello, other } from './b.js';\nexport const a = [hello, other];`,
      'b.ts': `export const hallo = 1; export const other = 2; export * from './c.js';`,
      'c.ts': `export const more = 3; export default 4;`,
      'd.ts': `import { nope } from 'node:fs'; export const d = nope;`,
      'e.ts': `import none from './c.js'; import it from './b.js'; export const e = [none, it];`,
    });
    expect(await failureOf(load('a.ts'))).toMatchObject({
      code: 'E_EXPORT_MISSING',
      message: 'a.ts:2:30 imports "hello" from "./b.js", which does not export it.',
      hint: 'Did you mean "hallo"? If the name is a type, write `import type`.',
    });
    expect(await failureOf(load('d.ts'))).toMatchObject({
      code: 'E_EXPORT_MISSING',
      message: expect.stringContaining('"nope"'),
      hint: expect.stringMatching(/^It exports: (?:\w+, ){19}\w+ and \d+ more\. If/),
    });
    expect(await failureOf(load('e.ts'))).toMatchObject({
      code: 'E_EXPORT_MISSING',
      message: expect.stringContaining('"default" from "./b.js"'),
      hint: 'It exports: hallo, more, other. If the name is a type, write `import type`.',
    });
  });

  it('reports which import loaded a dependency that fails', async () => {
    const { load, path } = createLoadedProject({
      'a.ts': `import 'node:fs';\nimport bad from 'bad';\nexport default bad;`,
      'node_modules/bad/index.js': `throw new Error('no native binding');`,
    });
    expect(await failureOf(load('a.ts'))).toMatchObject({
      code: 'E_LOAD_FAILED',
      message: 'a.ts:2:17 imports "bad", which failed to load: no native binding',
      location: { file: path('a.ts'), line: 2 },
    });
  });

  it('names the package.json that is invalid', async () => {
    const { load, path } = createLoadedProject({
      'package.json': '{\n  "name": "bot", type: "module"\n}',
      'a.ts': `import dep from 'dep';\nexport default dep;`,
      'node_modules/dep/index.js': '',
    });
    expect(await failureOf(load('a.ts'))).toMatchObject({
      code: 'E_LOAD_FAILED',
      message: expect.stringContaining(path('package.json')),
      location: { file: path('a.ts'), line: 1 },
    });
  });

  it.each([
    ['itself', './tsconfig.json'],
    ['one that extends it', './base.json'],
  ])('reports a tsconfig that extends %s', async (_, name) => {
    const { load } = createLoadedProject({
      'tsconfig.json': `{ "extends": "${name}" }`,
      'base.json': '{ "extends": "./tsconfig.json" }',
      'a.ts': '',
    });
    expect(await failureOf(load('a.ts'))).toMatchObject({
      code: 'E_TSCONFIG_INVALID',
      message: expect.stringMatching(/^tsconfig\.json cannot be used: Circularity detected/),
    });
  });

  it('reports a tsconfig that cannot be used', async () => {
    const { load } = createLoadedProject({
      'tsconfig.json': '{ "extends": "./none.json" }',
      'a.ts': '',
    });
    expect(await failureOf(load('a.ts'))).toMatchObject({ code: 'E_TSCONFIG_INVALID' });
  });

  it.each([
    ['./base.json', 'base.json'],
    ['kept/strict', 'node_modules/kept/strict.json'],
  ])('reports a broken tsconfig that another one extends by %j', async (name, file) => {
    const { load, path } = createLoadedProject({
      'tsconfig.json': `{ "extends": "./between.json" }`,
      'between.json': `{\n  // as it may be\n  "extends": ["${name}"],\n}`,
      'node_modules/kept/package.json': '{ "name": "kept" }',
      [file]: '{\n  "compilerOptions": { "strict": tru }\n}',
      'a.ts': '',
    });
    expect(await failureOf(load('a.ts'))).toMatchObject({
      code: 'E_TSCONFIG_INVALID',
      message: `${file} cannot be used: it is not JSON`,
      location: { file: path(file) },
    });
  });

  it('keeps what was loaded when one of many fails, and loads the rest later', async () => {
    const { load, edit, loader, root } = createLoadedProject({
      'a.ts': `export { shared } from './shared.js';`,
      'bad.ts': `import './shared.js'; import './lib/worse.js';`,
      'lib/worse.ts': `throw new Error('worse');`,
      'shared.ts': `export const shared = {};`,
    });
    const [a, bad] = await Promise.allSettled([load('a.ts'), load('bad.ts')]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'E_LOAD_FAILED' } });
    expect(loader.folders()).toEqual([root, `${root}/lib`]);
    await edit({ 'lib/worse.ts': `export {};` });
    await load('bad.ts');
    expect(a).toMatchObject({ value: await load('a.ts') });
  });

  it('names the line that reads an export of a circular import too early', async () => {
    const { load } = createLoadedProject({
      'a.ts': `import { b } from './b.js';\nexport const A = 1;\nexport const use = () => b;`,
      'b.ts': `import { A } from './a.js';\nexport const b = A + 1;`,
    });
    expect(await failureOf(load('a.ts'))).toMatchObject({
      message: "b.ts:2:18 threw while it was loaded: Cannot access 'A' before initialization",
      hint: expect.stringContaining('import each other'),
    });
  });

  it('takes nothing of a cycle of which one module failed', async () => {
    const { load, edit } = createLoadedProject({
      'a.ts': `import './b.js'; throw new Error('late');`,
      'b.ts': `import './a.js'; export const b = {};`,
    });
    await expect(load('a.ts')).rejects.toThrow('late');
    await edit({ 'a.ts': `import './b.js'; export const a = 1;` });
    expect(await load('b.ts')).toHaveProperty('b');
    expect(await load('a.ts')).toMatchObject({ a: 1 });
  });
});
