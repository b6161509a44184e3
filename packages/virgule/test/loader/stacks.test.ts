import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLoader } from '../../src/loader/create-loader.js';
import { setStackStyle, thrownAt } from '../../src/loader/stack-traces.js';
import { createLoadedProject, createProjectFolder } from './project-folder.js';

const SOURCE = [
  `import { fail } from './lib/fail.js';`,
  ``,
  `interface Options {`,
  `  readonly text: string;`,
  `}`,
  ``,
  `/** A comment that does not come out. */`,
  `export const run = ({ text }: Options): void => {`,
  `  const twice: string = text + text;`,
  `      fail(twice as string);`,
  `};`,
  `export const unnamed = [() => { throw new Error('x'); }];`,
  ``,
].join('\n');

const FAIL = `enum Kind {\n  A = 'a',\n}\n\nexport function fail(text: string): never {\n  throw new RangeError(text + Kind.A);\n}\n`;

function thrownBy(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

const stackOf = (run: () => unknown): string => thrownBy(run).stack ?? '';

type Runnable = { readonly run: (...args: readonly unknown[]) => unknown };

/** The places of a stack that are in the project, in order. */
function places(stack: string, root: string): string[] {
  return stack.split('\n').flatMap((line) => {
    const start = line.indexOf(root);
    return start === -1 || line.includes('node_modules')
      ? []
      : [line.slice(start + root.length + 1).replace(/\)$/, '')];
  });
}

describe('the stack of an error', () => {
  it('has the exact lines and columns of the source', async () => {
    const { load, root } = createLoadedProject({
      'a b (c)/a.ts': SOURCE,
      'a b (c)/lib/fail.ts': FAIL,
    });
    const { run, unnamed } = (await load('a b (c)/a.ts')) as Runnable & {
      unnamed: (() => void)[];
    };
    const stack = stackOf(() => run({ text: 'x' }));
    expect(places(stack, root)).toEqual(['a b (c)/lib/fail.ts:6:9', 'a b (c)/a.ts:10:7']);
    expect(
      places(
        stackOf(() => unnamed[0]?.()),
        root,
      ),
    ).toEqual(['a b (c)/a.ts:12:39']);
  });

  it('has the lines of the version that the code was compiled from', async () => {
    const { load, edit, root } = createLoadedProject({
      'a.ts': SOURCE,
      'lib/fail.ts': FAIL,
    });
    const old = (await load('a.ts')) as Runnable;
    await edit({ 'lib/fail.ts': `\n\n\n${FAIL}`, 'a.ts': `\n${SOURCE}` });
    const current = (await load('a.ts')) as Runnable;
    const stackIn = (module: Runnable): string[] =>
      places(
        stackOf(() => module.run({ text: 'x' })),
        root,
      );
    expect(stackIn(old)).toEqual(['lib/fail.ts:6:9', 'a.ts:10:7']);
    expect(stackIn(current)).toEqual(['lib/fail.ts:9:9', 'a.ts:11:7']);
  });

  it('names imports as the other module does, and default imports by their file', async () => {
    const { load } = createLoadedProject({
      'lib/x.ts': `export const help = 3; export default 4;`,
      'a.ts': `import * as all from './lib/x.js';
import main, { help as aid } from './lib/x.js';
export const runs = [
  () => all.nope(),
  () => aid(),
  () => { throw new TypeError('import_map.json is not there'); },
  () => { const { a } = aid.b; },
  () => main(),
  () => new main.Client(),
  () => main.reply(),
];`,
    });
    const { runs } = (await load('a.ts')) as { runs: (() => void)[] };
    const errors = runs.map(thrownBy);
    const heads = errors.map(({ stack }) => stack?.split('\n')[0]);
    expect(errors.map(({ message }) => message)).toEqual([
      'all.nope is not a function',
      'help is not a function',
      'import_map.json is not there',
      "Cannot destructure property 'a' of 'help.b' as it is undefined.",
      'x is not a function',
      'x.Client is not a constructor',
      'x.reply is not a function',
    ]);
    expect(heads).toEqual(errors.map(({ message }) => `TypeError: ${message}`));
  });

  it('is right for two loaders of one folder', async () => {
    const one = createLoadedProject({ 'a.ts': SOURCE, 'lib/fail.ts': FAIL });
    const first = (await one.load('a.ts')) as Runnable;
    one.write('a.ts', `\n\n${SOURCE}`);
    const other = createLoader({ root: one.root });
    onTestFinished(() => other.close());
    const second = (await other.importModule(one.path('a.ts'))) as Runnable;
    const lineIn = (module: Runnable) =>
      places(
        stackOf(() => module.run({ text: 'x' })),
        one.root,
      )[1];
    expect([lineIn(first), lineIn(second)]).toEqual(['a.ts:10:7', 'a.ts:12:7']);
  });

  it('maps asynchronous modules, awaited frames and columns after wide text', async () => {
    const { load, root } = createLoadedProject({
      'a.ts': `import { fail } from './fail.js';\n\nexport const ready: boolean = await Promise.resolve(true);\nexport async function run(): Promise<void> {\n  await null;\n  const text = 'é 🎲'; fail(text);\n}\n`,
      'fail.ts': FAIL,
    });
    const { run } = (await load('a.ts')) as { run: () => Promise<void> };
    const stack = await run().catch((error: Error) => error.stack ?? '');
    expect(places(String(stack), root)).toEqual(['fail.ts:6:9', 'a.ts:6:24']);
  });

  it('is the same for console.trace and other captured stacks', async () => {
    const { load, root } = createLoadedProject({
      'a.ts': `interface A {}\n\nexport function run(): string {\n  const holder: { stack?: string } = {};\n  Error.captureStackTrace(holder);\n  return holder.stack ?? '';\n}\n`,
    });
    const { run } = (await load('a.ts')) as Runnable;
    expect(places(String(run()), root)).toEqual(['a.ts:5:9']);
  });

  it('lists the code of the project, and counts the frames of packages and of Node.js at its end', async () => {
    const { load, root } = createLoadedProject({
      'package.json': '{ "name": "bot", "type": "module" }',
      'a.ts': `import call from 'caller';\n\nexport const run = (): void => call(() => JSON.parse('{'));\n`,
      'node_modules/caller/package.json':
        '{ "name": "caller", "type": "module", "main": "index.js" }',
      'node_modules/caller/index.js': `const deeper = (task) => task();\nexport default (task) => { [1].forEach(() => deeper(task)); };\n`,
    });
    const { run } = (await load('a.ts')) as Runnable;
    const error = thrownBy(run);
    expect(error.stack?.split('\n').slice(1)).toEqual([
      `    at ${root}/a.ts:3:48`,
      `    at run (${root}/a.ts:3:32)`,
      expect.stringMatching(/^ {4}… \d+ frames? in .*\d in caller/),
    ]);
  });

  it('lists the code of a project that is below a folder node_modules', async () => {
    const { root } = createProjectFolder({
      'node_modules/bot/package.json': '{ "name": "bot", "type": "module" }',
      'node_modules/bot/a.ts': `export const run = (): void => JSON.parse('{');\n`,
    });
    const bot = join(root, 'node_modules/bot');
    await using loader = createLoader({ root: bot });
    const { run } = (await loader.importModule(join(bot, 'a.ts'))) as Runnable;
    expect(stackOf(run)).toContain(`    at run (${bot}/a.ts:1:37)`);
  });

  it('shows paths relative to a folder, and every frame, where that is asked for', async () => {
    const { load, root } = createLoadedProject({ 'a.ts': SOURCE, 'lib/fail.ts': FAIL });
    setStackStyle({ relativeTo: root, folds: false });
    onTestFinished(() => setStackStyle({}));
    const { run } = (await load('a.ts')) as Runnable;
    const stack = stackOf(() => run({ text: 'x' }));
    expect(stack).toContain('at fail (./lib/fail.ts:6:9)');
    expect(stack).toContain('(./a.ts:10:7)');
    expect(stack).toContain('node_modules');
  });

  it('of other code stays as it is', async () => {
    const outside = new Error('x');
    const plain = outside.stack;
    createLoadedProject({});
    expect(new Error('x').stack?.split('\n').slice(2)).toEqual(plain?.split('\n').slice(2));
  });

  it('can be formatted by others meanwhile', async () => {
    const { load, root } = createLoadedProject({ 'a.ts': SOURCE, 'lib/fail.ts': FAIL });
    const { run } = (await load('a.ts')) as Runnable;
    const ours = Error.prepareStackTrace;
    Error.prepareStackTrace = (_, sites) => sites.length;
    const count: unknown = stackOf(() => run({ text: 'x' }));
    Error.prepareStackTrace = ours;
    expect(count).toBeGreaterThan(1);
    expect(
      places(
        stackOf(() => run({ text: 'x' })),
        root,
      ),
    ).toHaveLength(2);
  });
});

describe('thrownAt', () => {
  it('is the first place of an error in a source, with its text', async () => {
    const { load, path } = createLoadedProject({ 'a.ts': SOURCE, 'lib/fail.ts': FAIL });
    const { run } = (await load('a.ts')) as Runnable;
    const error = thrownBy(() => run({ text: 'x' }));
    const place = { file: path('lib/fail.ts'), line: 6, column: 9, text: FAIL };
    expect(thrownAt(error)).toEqual(place);
  });

  it.each([[new Error('x')], ['text'], [null], [{ stack: 'at a.ts:1:1' }]])(
    'is nothing for %o',
    (thrown) => {
      expect(thrownAt(thrown)).toBeUndefined();
    },
  );
});
