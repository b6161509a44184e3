import { describe, expect, it, onTestFinished } from 'vitest';
import { createLoader } from '../../src/loader/create-loader.js';
import { createProjectFolder, type Files } from './project-folder.js';

/** A project in development, what it emitted on the process, and what was logged. */
async function open(files: Files, entries: readonly string[]) {
  const folder = createProjectFolder(files);
  const logged: string[] = [];
  const add = (_: object, message: string): void => void logged.push(message);
  const loader = createLoader({
    root: folder.root,
    hot: true,
    log: { debug: () => {}, info: add, warn: add, error: add },
  });
  onTestFinished(() => loader.close());
  const stopped: string[] = [];
  const onStop = (name: string): void => void stopped.push(name);
  process.on('virgule-test-stopped' as never, onStop);
  onTestFinished(() => void process.removeListener('virgule-test-stopped', onStop));
  for (const entry of entries) await loader.importModule(folder.path(entry));
  return {
    logged,
    stopped,
    save(file: string, text: string) {
      return loader.apply([folder.write(file, text)]);
    },
    remove(file: string, importer: string, text: string) {
      folder.remove(file);
      return loader.apply([folder.write(importer, text), folder.path(file)]);
    },
  };
}

const disposing = (name: string): string =>
  `import.meta.hot?.dispose(() => void process.emit('virgule-test-stopped', '${name}'));`;

describe('import.meta.hot', () => {
  it('calls what a module registered when it is replaced, and when nothing imports it any more', async () => {
    const { save, remove, stopped, logged } = await open(
      {
        'a.ts': `import './b.js'; ${disposing('a1')}`,
        'b.ts': disposing('b1'),
        'c.ts': disposing('c1'),
      },
      ['a.ts', 'c.ts'],
    );
    await save('b.ts', `${disposing('b2')} ${disposing('b2 again')}`);
    expect(stopped.toSorted()).toEqual(['a1', 'b1']);
    stopped.length = 0;
    await remove('b.ts', 'a.ts', disposing('a2'));
    expect(stopped.toSorted()).toEqual(['a1', 'b2', 'b2 again']);
    expect(logged).toEqual([]);
  });

  it('calls what a version registered that ran and could not be used', async () => {
    const { save, stopped } = await open({ 'a.ts': disposing('one') }, ['a.ts']);
    await save('a.ts', `${disposing('two')} throw new Error('no');`);
    expect(stopped).toEqual(['two']);
    await save('a.ts', disposing('three'));
    expect(stopped).toEqual(['two', 'one']);
  });

  it('logs a function that throws, and calls the others', async () => {
    const { save, stopped, logged } = await open(
      {
        'a.ts': `import.meta.hot.dispose(async () => { throw new Error('no'); }); ${disposing('a')}`,
      },
      ['a.ts'],
    );
    await save('a.ts', 'export {};');
    expect(stopped).toEqual(['a']);
    await Promise.resolve();
    expect(logged).toEqual(['cannot dispose a.ts']);
  });

  it('is absent outside of development', async () => {
    const folder = createProjectFolder({ 'a.ts': 'export const hot = import.meta.hot;' });
    await using loader = createLoader({ root: folder.root });
    expect(await loader.importModule(folder.path('a.ts'))).toMatchObject({ hot: undefined });
  });
});
