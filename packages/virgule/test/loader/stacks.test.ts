import { describe, expect, it } from 'vitest';
import { createLoadedProject } from './project-folder.js';

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

function stackOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).stack ?? '';
  }
  throw new Error('nothing was thrown');
}

/** The places of a stack that lie in the project, in order. */
function places(stack: string, root: string): string[] {
  return stack.split('\n').flatMap((line) => {
    const start = line.indexOf(root);
    return start === -1 || line.includes('node_modules')
      ? []
      : [line.slice(start + root.length + 1).replace(/\)$/, '')];
  });
}

describe('mapStack', () => {
  it('gives the exact lines and columns of the source', async () => {
    const { load, loader, root } = createLoadedProject({
      'a b (c)/a.ts': SOURCE,
      'a b (c)/lib/fail.ts': FAIL,
    });
    const { run, unnamed } = (await load('a b (c)/a.ts')) as {
      run: (o: object) => void;
      unnamed: (() => void)[];
    };
    const stack = loader.mapStack(stackOf(() => run({ text: 'x' })));
    expect(places(stack, root)).toEqual(['a b (c)/lib/fail.ts:6:9', 'a b (c)/a.ts:10:7']);
    expect(places(loader.mapStack(stackOf(() => unnamed[0]?.())), root)).toEqual([
      'a b (c)/a.ts:12:39',
    ]);
  });

  it('keeps what is not of the project', async () => {
    const { loader } = createLoadedProject({});
    const stack = `Error: at /x/a.ts:1:2\n    at run (node:internal/x:1:2)\n    at /elsewhere/a.ts:3:4`;
    expect(loader.mapStack(stack)).toBe(stack);
  });

  it('maps code of an older version by its own source', async () => {
    const { load, loader, edit, root } = createLoadedProject({
      'a.ts': SOURCE,
      'lib/fail.ts': FAIL,
    });
    const old = (await load('a.ts')) as { run: (o: object) => void };
    await edit({ 'lib/fail.ts': `\n\n\n${FAIL}`, 'a.ts': `\n${SOURCE}` });
    const current = (await load('a.ts')) as { run: (o: object) => void };
    const stackIn = (module: typeof old): string[] =>
      places(loader.mapStack(stackOf(() => module.run({ text: 'x' }))), root);
    expect(stackIn(old)).toEqual(['lib/fail.ts:6:9', 'a.ts:10:7']);
    expect(stackIn(current)).toEqual(['lib/fail.ts:9:9', 'a.ts:11:7']);
  });

  it('maps asynchronous modules, awaited frames and columns behind wide text', async () => {
    const { load, loader, root } = createLoadedProject({
      'a.ts': `import { fail } from './fail.js';\n\nexport const ready: boolean = await Promise.resolve(true);\nexport async function run(): Promise<void> {\n  await null;\n  const text = 'é 🎲'; fail(text);\n}\n`,
      'fail.ts': FAIL,
    });
    const { run } = (await load('a.ts')) as { run: () => Promise<void> };
    const stack = await run().catch((error: Error) => error.stack ?? '');
    expect(places(loader.mapStack(String(stack)), root)).toEqual(['fail.ts:6:9', 'a.ts:6:24']);
  });
});
