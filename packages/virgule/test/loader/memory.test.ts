import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { createLoadedProject } from './project-folder.js';

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}

describe('apply, over a long day', () => {
  it('keeps no old module after 100 reloads', async () => {
    const { load, edit, loader, path } = createLoadedProject({
      'a.ts': `import { text } from './lib.js'; export const run = () => text; export const marker = {};`,
      'lazy.ts': `export const lazy = 1;`,
      'lib.ts': `export const text = '0';`,
    });
    const old: WeakRef<object>[] = [];
    for (let n = 1; n <= 100; n += 1) {
      await edit({
        'lib.ts': `export const text: string = '${n}'; export const lazy = () => import('./lazy.js');`,
        'a.ts': `import { text } from './lib.js'; export const run = () => text; export const marker = { n: ${n} };`,
      });
      const module = await load('a.ts');
      expect((module['run'] as () => string)()).toBe(String(n));
      old.push(new WeakRef(module['marker'] as object), new WeakRef(module));
    }
    await vi.waitFor(() => {
      collectGarbage();
      // The current instance is alive, and V8 may hold the last one a little longer.
      expect(old.filter((reference) => reference.deref()).length).toBeLessThanOrEqual(4);
    }, 10_000);
    const loaded = ['a.ts', 'lib.ts', 'lazy.ts'].filter((file) => loader.current(path(file)));
    expect(loaded).toEqual(['a.ts', 'lib.ts']);
  });

  it('keeps no module of a change that failed', async () => {
    const { load, edit } = createLoadedProject({
      'a.ts': `import './b.js'; export const a = 1;`,
      'b.ts': '',
    });
    await load('a.ts');
    const seen: WeakRef<object>[] = [];
    const holder = globalThis as { remember?: (value: object) => void };
    holder.remember = (value) => seen.push(new WeakRef(value));
    for (let n = 1; n <= 50; n += 1) {
      const bad = `(globalThis as any).remember(() => ${n}); throw new Error('${n}');`;
      await expect(edit({ 'b.ts': bad })).rejects.toThrow(String(n));
    }
    delete holder.remember;
    await vi.waitFor(() => {
      collectGarbage();
      expect(seen).toHaveLength(50);
      expect(seen.filter((reference) => reference.deref()).length).toBeLessThanOrEqual(2);
    }, 10_000);
  });
});
