import { existsSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLoader, type Loader } from '../../src/loader/create-loader.js';
import { createLoadedProject, type LoadedProject } from './project-folder.js';

const NAMES = ['a', 'b', 'c', 'd', 'e'] as const;
type Name = (typeof NAMES)[number];

interface Namespace {
  readonly walk: () => number;
}

/** Content of a file; `undefined` for a missing file. */
interface Text {
  readonly value: number;
  readonly imports: readonly Name[];
  readonly form: 'static' | 'star' | 'awaited' | 'lazy' | 'throws' | 'broken';
}

const text: fc.Arbitrary<Text> = fc.record({
  value: fc.nat(99),
  imports: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 3 }),
  form: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<Text['form']>('static', 'star', 'lazy') },
    { weight: 1, arbitrary: fc.constantFrom<Text['form']>('awaited', 'throws', 'broken') },
  ),
});

/** Adds up what can be reached, in a way that cycles do not disturb. */
function print(name: Name, { value, imports, form }: Text): string {
  const lines = imports.map((other) => `import { walk as ${other}_ } from './${other}.js';`);
  if (form === 'star') lines.push(...imports.map((other) => `export * from './${other}.js';`));
  if (form === 'awaited') lines.push('await Promise.resolve();');
  if (form === 'lazy')
    lines.push(
      ...imports.map((other) => `export const lazy_${other} = () => import('./${other}.js');`),
    );
  if (form === 'throws') lines.push(`throw new Error('${name}');`);
  const calls = imports.map((other) => ` + ${other}_(seen)`).join('');
  lines.push(
    `export function walk(seen = new Set<string>()): number {`,
    `  if (seen.has('${name}')) return 0;`,
    `  seen.add('${name}');`,
    `  return ${value}${calls};`,
    `}`,
  );
  if (form === 'broken') lines.push('export const = 1;');
  return lines.join('\n');
}

/** The results of files, each as its sum or the code of its error. */
async function outcomes(
  loader: Loader,
  { path }: LoadedProject,
  names: readonly Name[] = NAMES,
): Promise<unknown[]> {
  const results = await Promise.allSettled(
    names.map((name) => loader.importModule(path(`${name}.ts`))),
  );
  return Promise.all(
    results.map(async (result) => {
      if (result.status === 'rejected') return (result.reason as { code?: string }).code;
      const { walk, ...others } = result.value as Record<string, () => Promise<Namespace>>;
      const lazy = Object.values(others).map((load) => load());
      const reached = await Promise.allSettled(lazy);
      return [
        walk?.(),
        Object.keys(others),
        reached.map((each) => each.status === 'fulfilled' && each.value.walk()),
      ];
    }),
  );
}

type Changes = Partial<Record<Name, Text | undefined>>;

/** Writes and deletes files and returns their paths. */
function edit({ path, write }: LoadedProject, changes: Changes): string[] {
  return NAMES.filter((name) => name in changes).map((name) => {
    const content = changes[name];
    if (content) return write(`${name}.ts`, print(name, content));
    rmSync(path(`${name}.ts`), { force: true });
    return path(`${name}.ts`);
  });
}

async function startAfresh(project: LoadedProject): Promise<unknown[]> {
  await using fresh = createLoader({ root: project.root });
  return await outcomes(fresh, project);
}

async function check(steps: readonly Changes[]): Promise<void> {
  const project = createLoadedProject({});
  for (const changes of steps) {
    const before = await outcomes(project.loader, project);
    const applied = await project.loader.apply(edit(project, changes));
    if (applied.restart !== undefined) throw new Error(applied.restart);
    const after = await outcomes(project.loader, project);
    const lost = before.map((was, index) => Array.isArray(was) && !Array.isArray(after[index]));
    const removed = before.map((was, index) => Array.isArray(was) && isGone(project, index));
    // Files that worked keep working, in their new version or in the last good one.
    expect(lost).toEqual(removed);
    const isWhole = applied.failures.length === 0;
    expect(isWhole ? after : 'broken').toEqual(isWhole ? await startAfresh(project) : 'broken');
  }
}

/** Returns the files that are loaded, and the files that each of them reaches. */
function graphOf(loader: Loader, { path }: LoadedProject): unknown {
  return NAMES.map((name) => {
    const file = path(`${name}.ts`);
    return {
      isThere: loader.textOf(file) !== undefined,
      dependants: loader.dependants(file),
    };
  });
}

/** The same with two of the files as entries, so that what they no longer reach is to be let go. */
async function checkGraph(steps: readonly Changes[]): Promise<void> {
  const entries = ['a', 'b'] as const;
  const project = createLoadedProject({});
  await outcomes(project.loader, project, entries);
  for (const changes of steps) {
    const applied = await project.loader.apply(edit(project, changes));
    if (applied.restart !== undefined) throw new Error(applied.restart);
    const ours = await outcomes(project.loader, project, entries);
    await using fresh = createLoader({ root: project.root });
    const theirs = await outcomes(fresh, project, entries);
    // A file that fails keeps its last good version, which a fresh start does not have.
    const isWhole = applied.failures.length === 0 && theirs.every((each) => Array.isArray(each));
    const [have, want] = [graphOf(project.loader, project), graphOf(fresh, project)];
    expect(isWhole ? [ours, have] : 'broken').toEqual(isWhole ? [theirs, want] : 'broken');
  }
}

/** A file that was deleted and that nothing needs is gone, whatever else is broken. */
function isGone({ loader, path }: LoadedProject, index: number): boolean {
  const file = path(`${NAMES[index]}.ts`);
  return !existsSync(file) && [...loader.dependants(file)].every((other) => other === file);
}

const changes: fc.Arbitrary<Changes> = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.option(text, { nil: undefined }),
  { minKeys: 1, maxKeys: 3 },
);

describe('apply, after any edits', () => {
  it('returns what a new loader returns, or keeps what it had', async () => {
    const steps = fc.array(changes, { minLength: 2, maxLength: 6 });
    await fc.assert(fc.asyncProperty(steps, check), { numRuns: 40, seed: 20 });
  });

  it('holds what its entries reach and nothing else, and knows the importers', async () => {
    const steps = fc.array(changes, { minLength: 2, maxLength: 8 });
    await fc.assert(fc.asyncProperty(steps, checkGraph), { numRuns: 40, seed: 20 });
  });
});
