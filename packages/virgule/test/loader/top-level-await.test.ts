import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { loadingNow, STUCK_MS } from '../../src/loader/loading-steps.js';
import { until } from '../until.js';
import { createLoadedProject } from './project-folder.js';

describe('importModule, top-level await', () => {
  it('waits for a module before its importers run', async () => {
    const { load } = createLoadedProject({
      'a.ts': `import value, { early, late, Shape } from './b.js'; export const seen = [value, early(), late, new Shape().side];`,
      'b.ts': `
        import { c } from './c.js';
        export const early = () => 'early ' + c;
        export let late = 'before';
        const text = await Promise.resolve('awaited');
        late = 'after';
        export default text;
        export class Shape { side = 2; }
        export type { Side } from './nowhere.js';
      `,
      'c.ts': `export const c = await new Promise<string>((resolve) => queueMicrotask(() => resolve('c')));`,
    });
    expect((await load('a.ts'))['seen']).toEqual(['awaited', 'early c', 'after', 2]);
  });

  it('takes no text for the clause of exports', async () => {
    const text = 'x\nexport {\n  y\n};\n';
    const { load } = createLoadedProject({
      'a.ts': `export const a = await Promise.resolve(\`${text}\`);`,
    });
    expect(await load('a.ts')).toMatchObject({ a: text });
  });

  it('keeps bindings live, for await and re-exports included', async () => {
    const { load } = createLoadedProject({
      'a.ts': `
        import * as whole from './b.js';
        import { count } from './b.js';
        export * from './b.js';
        export { count as number } from './b.js';
        for await (const step of [1, 2]) whole.add(step);
        export const seen = count;
      `,
      'b.ts': `export let count = 0; export const add = (step: number) => { count += step; };`,
    });
    const module = await load('a.ts');
    expect(module).toMatchObject({ seen: 3, count: 3, number: 3 });
    (module['add'] as (step: number) => void)(10);
    expect(module).toMatchObject({ seen: 3, count: 13, number: 13 });
  });

  it('is swapped like any other module', async () => {
    const { load, edit } = createLoadedProject({
      'a.ts': `import { b } from './b.js'; export const a = b;`,
      'b.ts': `export const b = await Promise.resolve('one');`,
    });
    expect(await load('a.ts')).toMatchObject({ a: 'one' });
    expect(await edit({ 'b.ts': `export const b = await Promise.resolve('second');` })).toEqual([
      'a.ts',
      'b.ts',
    ]);
    expect(await load('a.ts')).toMatchObject({ a: 'second' });
    await edit({ 'b.ts': `export const b = 'without await';` });
    expect(await load('a.ts')).toMatchObject({ a: 'without await' });
  });

  it.each([
    ['db', `export const db = 'db';`, ['db', 'db']],
    ['an error', `throw new Error('no db');`, ['no db', 'no db']],
  ])('waits in all files that import() a module which is loading: %s', async (_, end, seen) => {
    const caller = `export const seen = await import('./db.js').then(({ db }) => db, (error) => error.message);`;
    const { load } = createLoadedProject({
      'main.ts': `export * as a from './a.js'; export * as b from './b.js';`,
      'a.ts': `export const seen = import('./db.js').then(({ db }) => db, (error) => error.message);`,
      'b.ts': caller,
      'db.ts': `await new Promise((resolve) => setTimeout(resolve)); ${end}`,
    });
    const { a, b } = (await load('main.ts')) as Record<'a' | 'b', { readonly seen: unknown }>;
    expect([await a.seen, b.seen]).toEqual(seen.map((text) => expect.stringContaining(text)));
  });

  it('abandons a module that does not settle, and loads the others', async () => {
    const clock = createFakeClock();
    const { load } = createLoadedProject(
      {
        'hangs.ts': `await new Promise(() => {});`,
        'imports.ts': `import './hangs.js';`,
        'sound.ts': `export const a = 1;`,
      },
      { clock },
    );
    const files = ['hangs.ts', 'imports.ts', 'sound.ts'];
    const loading = Promise.allSettled(files.map((file) => load(file)));
    await until(() => expect(clock.pending).toBe(1));
    await clock.advance(STUCK_MS);
    const stuck = { status: 'rejected', reason: { code: 'E_LOAD_STUCK' } };
    expect(await loading).toMatchObject([
      {
        ...stuck,
        reason: { message: expect.stringMatching(/^hangs\.ts was not loaded within 8 s/) },
      },
      stuck,
      { status: 'fulfilled', value: { a: 1 } },
    ]);
    expect(clock.pending).toBe(0);
  });

  it('blames the innermost module that does not settle', async () => {
    const clock = createFakeClock();
    const { load } = createLoadedProject(
      {
        'outer.ts': `await Promise.resolve(); export const error = await import('./inner.js').catch((error) => error);`,
        'inner.ts': `await new Promise(() => {});`,
      },
      { clock },
    );
    const outer = load('outer.ts');
    await until(() => expect(clock.pending).toBe(2));
    await clock.advance(STUCK_MS);
    expect(await outer).toMatchObject({
      error: { code: 'E_LOAD_STUCK', location: { file: expect.stringMatching(/inner\.ts$/) } },
    });
  });

  it('blames the file that waits for a package which does not settle', async () => {
    const clock = createFakeClock();
    const { load } = createLoadedProject(
      {
        'node_modules/stuck/package.json': '{ "name": "stuck", "type": "module", "main": "i.js" }',
        'node_modules/stuck/i.js': 'await new Promise(() => {});',
        'a.ts': `await import('./inner.js');`,
        'inner.ts': `import 'stuck';`,
      },
      { clock },
    );
    const loading = load('a.ts');
    loading.catch(() => {});
    await until(() => expect(clock.pending).toBe(1));
    await until(() => expect(loadingNow()).toMatchObject({ imports: 'stuck' }));
    await clock.advance(STUCK_MS);
    await expect(loading).rejects.toMatchObject({
      code: 'E_LOAD_STUCK',
      location: { file: expect.stringMatching(/\ba\.ts$/) },
    });
  });

  it('keeps the last good version of a file that does not settle any more', async () => {
    const clock = createFakeClock();
    const { load, loader, write } = createLoadedProject(
      { 'a.ts': 'export const a = 1;' },
      { clock },
    );
    await load('a.ts');
    const applying = loader.apply([write('a.ts', 'await new Promise(() => {});')]);
    await until(() => expect(clock.pending).toBe(1));
    await clock.advance(STUCK_MS);
    expect(await applying).toMatchObject({ failures: [{ code: 'E_LOAD_STUCK' }] });
    expect(await load('a.ts')).toMatchObject({ a: 1 });
  });

  it('tries a module that did not settle again only when it, or a file that it reaches, has changed', async () => {
    const clock = createFakeClock();
    const { load, loader, write } = createLoadedProject(
      {
        'a.ts': 'export const a = 1;',
        'b.ts': `export const b = (await import('./c.js')).c;`,
        'c.ts': 'export const c = 1;',
        'new.ts': 'await new Promise(() => {});',
      },
      { clock },
    );
    const stuck = { code: 'E_LOAD_STUCK' };
    await load('b.ts');
    const loading = load('new.ts');
    loading.catch(() => {});
    await until(() => expect(clock.pending).toBe(1));
    await clock.advance(STUCK_MS);
    await expect(loading).rejects.toMatchObject(stuck);
    await expect(load('new.ts')).rejects.toMatchObject(stuck);
    const applying = loader.apply([
      write('c.ts', 'await new Promise(() => {}); export const c = 2;'),
    ]);
    await until(() => expect(clock.pending).toBe(2));
    await clock.advance(STUCK_MS);
    expect(await applying).toMatchObject({ failures: [stuck] });
    await load('a.ts');
    expect(await loader.apply([write('a.ts', 'export const a = 2.5;')])).toMatchObject({
      evaluated: [expect.stringMatching(/a\.ts$/)],
      failures: [stuck],
    });
    await loader.apply([write('c.ts', 'export const c = 3;')]);
    expect([await load('a.ts'), await load('b.ts')]).toMatchObject([{ a: 2.5 }, { b: 3 }]);
    await loader.apply([write('new.ts', 'export const settles = true;')]);
    expect(await load('new.ts')).toMatchObject({ settles: true });
  });

  it('waits for a module that another import() has started', async () => {
    const { load } = createLoadedProject({
      'gates.ts': `
        export let start = () => {};
        export const started = new Promise<void>((resolve) => { start = resolve; });
        export let release = () => {};
        export const released = new Promise<void>((resolve) => { release = resolve; });
      `,
      'a.ts': `
        import { started } from './gates.js';
        const slow = import('./slow.js');
        await started;
        const { seen } = await import('./b.js');
        await slow;
        export { seen };
      `,
      'slow.ts': `
        import { released, start } from './gates.js';
        start();
        await released;
        export const slow = 'at last';
      `,
      'b.ts': `import './before.js'; import { slow } from './slow.js'; export const seen = slow;`,
      'before.ts': `import { release } from './gates.js'; setImmediate(release);`,
    });
    expect(await load('a.ts')).toMatchObject({ seen: 'at last' });
  });

  it('works inside a cycle', async () => {
    const { load } = createLoadedProject({
      'a.ts': `import { b } from './b.js'; export const a = () => 'a'; export const both = a() + b;`,
      'b.ts': `import { a } from './a.js'; export const b = await Promise.resolve('b'); export const call = () => a();`,
    });
    expect(await load('a.ts')).toMatchObject({ both: 'ab' });
    expect(((await load('b.ts'))['call'] as () => string)()).toBe('a');
  });

  it('reports the location of an error after an await, and keeps the last good version', async () => {
    const { load, edit } = createLoadedProject({
      'a.ts': `import { b } from './b.js'; export const a = b;`,
      'b.ts': `export const b = await Promise.resolve(1);`,
    });
    await load('a.ts');
    const bad = `await Promise.resolve();\nexport const b: number = 2;\n\n  throw new Error('no luck');\n`;
    await expect(edit({ 'b.ts': bad })).rejects.toMatchObject({
      code: 'E_LOAD_FAILED',
      location: { line: 4, column: 9 },
      message: 'b.ts:4:9 threw while it was loaded: no luck',
    });
    expect(await load('a.ts')).toMatchObject({ a: 1 });
  });
});
