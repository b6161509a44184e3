import { describe, expect, it } from 'vitest';
import { dependantsOf, importersIn, type Dependency, type ProjectModule } from './graph-module.js';

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

const importersOf = (...modules: readonly ProjectModule[]) =>
  importersIn(new Map(modules.map((module) => [module.file, module])));

describe('importersIn', () => {
  it('returns which modules reach a file, by imports and by import()', () => {
    const importers = importersOf(moduleOf('a', ['b']), moduleOf('b', [], ['c']));
    expect(importers.get('c')).toEqual(['b']);
    expect([...dependantsOf(['c'], importers)]).toEqual(['c', 'b', 'a']);
    expect([...dependantsOf(['a'], importers)]).toEqual(['a']);
  });

  it('returns which modules import a file that Node.js loads, and none for a package', () => {
    const dependency = (file: string | undefined) => ({ kind: 'dependency', file }) as Dependency;
    const module = moduleOf('a', []);
    module.links.set('./old.cjs', dependency('old.cjs'));
    module.links.set('zod', dependency(undefined));
    expect([...importersOf(module)]).toEqual([['old.cjs', ['a']]]);
  });
});
