import { describe, expect, it } from 'vitest';
import { CurrentModules, type Dependency, type ProjectModule } from './graph-module.js';

/** A module of which nothing is looked at but where it leads to. */
function moduleOf(file: string, links: readonly string[], reached: readonly string[] = []) {
  const targets = links.map((target) => [target, { kind: 'module', file: target }] as const);
  const found = reached.map((target) => [target, target] as const);
  return {
    file,
    links: new Map(targets),
    reached: new Map(found),
  } as unknown as ProjectModule;
}

/** Files of modules that `a` alone makes current, as an entry. */
function currentOf(...made: readonly ProjectModule[]) {
  const modules = new CurrentModules();
  const replace = (...next: readonly ProjectModule[]) =>
    [
      ...modules.replace(
        next.map(({ file }) => file),
        next,
        new Set(['a']),
      ),
    ].map(({ file }) => file);
  replace(...made);
  return { modules, replace };
}

describe('CurrentModules', () => {
  it('returns which modules reach a file, by imports and by import()', () => {
    const { modules } = currentOf(
      moduleOf('a', ['b']),
      moduleOf('b', [], ['c']),
      moduleOf('c', []),
    );
    expect([...modules.dependantsOf(['c'])]).toEqual(['c', 'b', 'a']);
    expect([...modules.dependantsOf(['a'])]).toEqual(['a']);
  });

  it('returns which modules import a file that Node.js loads', () => {
    const dependency = (file: string | undefined) => ({ kind: 'dependency', file }) as Dependency;
    const module = moduleOf('a', []);
    module.links.set('./old.cjs', dependency('old.cjs'));
    module.links.set('zod', dependency(undefined));
    expect([...currentOf(module).modules.dependantsOf(['old.cjs'])]).toEqual(['old.cjs', 'a']);
  });

  it('looks once for the importers of a cycle', () => {
    let looks = 0;
    const entries = new Set(['0']);
    entries.has = (file) => {
      looks += 1;
      return file === '0';
    };
    const made = Array.from({ length: 1_000 }, (_, n) => moduleOf(`${n}`, [`${(n + 1) % 1_000}`]));
    const modules = new CurrentModules();
    const files = made.map(({ file }) => file);
    modules.replace(files, made, entries);
    expect([...modules.replace(files, made, entries)]).toHaveLength(1_000);
    expect(modules.size).toBe(1_000);
    expect(looks).toBeLessThan(10_000);
  });

  it.each([
    ['a chain', [['b', 'c'], ['c']], ['b', 'c']],
    [
      'a cycle',
      [
        ['b', 'c'],
        ['c', 'b'],
      ],
      ['b', 'c'],
    ],
    [
      'a cycle that imports the entry',
      [
        ['b', 'c', 'a'],
        ['c', 'b'],
      ],
      ['b', 'c'],
    ],
    ['a diamond', [['b', 'd'], ['c', 'd'], ['d']], ['b']],
  ])('releases %s that only a removed import has reached', (_name, others, released) => {
    const { modules, replace } = currentOf(
      moduleOf('a', ['b', 'c'].slice(0, 1), others.length > 2 ? ['c'] : []),
      ...others.map(([file = '', ...links]) => moduleOf(file, links)),
    );
    expect(replace(moduleOf('a', [], others.length > 2 ? ['c'] : []))).toEqual(['a', ...released]);
    for (const file of released) expect([...modules.dependantsOf([file])]).not.toContain('a');
    expect(modules.size).toBe(1 + others.length - released.length);
  });
});
