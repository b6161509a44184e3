import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  closure,
  targetsOf,
  createImporterIndex,
  type Dependency,
  type ProjectModule,
} from './graph-module.js';
import { runs } from '../../../core/test/fixtures/property-runs.js';

const NAMES = ['a', 'b', 'c', 'd'];

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

interface Change {
  readonly file: string;
  readonly links: readonly string[];
  readonly reached: readonly string[];
  readonly isGone: boolean;
}

const edges = fc.subarray(NAMES);
const change: fc.Arbitrary<Change> = fc.record({
  file: fc.constantFrom(...NAMES),
  links: edges,
  reached: edges,
  isGone: fc.boolean(),
});

describe('createImporterIndex', () => {
  it('returns which modules reach a file, by imports and by import()', () => {
    const index = createImporterIndex();
    index.add(moduleOf('a', ['b']));
    index.add(moduleOf('b', [], ['c']));
    expect([...index.importersOf('c')]).toEqual(['b']);
    expect([...index.dependantsOf(['c'])]).toEqual(['c', 'b', 'a']);
    expect([...index.dependantsOf(['a'])]).toEqual(['a']);
  });

  it('notes what a module has reached since, and nothing twice', () => {
    const index = createImporterIndex();
    const module = moduleOf('a', ['b']);
    index.add(module);
    module.reached.set('./c.js', 'c');
    index.add(module);
    index.remove(module);
    expect([...index.importersOf('b')]).toEqual([]);
    expect([...index.importersOf('c')]).toEqual([]);
  });

  it('returns which modules import a file that Node.js loads, and none for a package', () => {
    const index = createImporterIndex();
    const dependency = (file: string | undefined) => ({ kind: 'dependency', file }) as Dependency;
    const module = moduleOf('a', []);
    module.links.set('./old.cjs', dependency('old.cjs'));
    module.links.set('zod', dependency(undefined));
    index.add(module);
    expect([...index.importersOf('old.cjs')]).toEqual(['a']);
    index.clear();
    expect([...index.importersOf('old.cjs')]).toEqual([]);
  });

  it('returns what a search through all modules returns, whatever was added and removed', () => {
    const check = (changes: readonly Change[]) => {
      const index = createImporterIndex();
      const modules = new Map<string, ProjectModule>();
      for (const { file, links, reached, isGone } of changes) {
        const before = modules.get(file);
        if (before) index.remove(before);
        modules.delete(file);
        if (isGone) continue;
        const module = moduleOf(file, links, reached);
        modules.set(file, module);
        index.add(module);
      }
      for (const name of NAMES) {
        const searched = closure([name], (file) =>
          [...modules.values()]
            .filter((module) => [...targetsOf(module)].includes(file))
            .map((module) => module.file),
        );
        expect(index.dependantsOf([name])).toEqual(searched);
      }
    };
    fc.assert(fc.property(fc.array(change, { maxLength: 12 }), check), {
      numRuns: runs(300),
      seed: 20,
    });
  });
});
