import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Dependencies } from '../../src/loader/dependencies.js';
import { createLoadedProject } from './project-folder.js';
import { runs } from '../../../core/test/fixtures/property-runs.js';

const FILES = ['a', 'b', 'c', 'd'] as const;
type FileName = (typeof FILES)[number];

/** One statement of a module; `other` is another module, or the same. */
interface Statement {
  readonly form: keyof typeof FORMS;
  readonly other: FileName;
  readonly name: string;
  readonly value: number;
}

/**
 * Text of a statement in the `index`-th line of a file: names of imports and own exports have the line
 * in them, so that no two of a file are the same; names that are passed on are not unique on purpose.
 */
const FORMS = {
  constant: ({ name, value }, index) => `export const ${name}${index} = ${value};`,
  variable: ({ name, value }, index) =>
    `export let ${name}${index} = ${value}; ${name}${index} += 1;`,
  function: ({ name, value }, index) => `export function ${name}${index}() { return ${value}; }`,
  default: ({ value }) => `export default ${value};`,
  effect: ({ other }) => `import './${other}.mjs';`,
  star: ({ other }) => `export * from './${other}.mjs';`,
  namespace: ({ other }, index) =>
    `import * as ns${index} from './${other}.mjs'; export const keys${index} = () => Object.keys(ns${index}).join();`,
  named: ({ other, name }, index) =>
    `import { ${name}0 as i${index} } from './${other}.mjs'; export const get${index} = () => i${index};`,
  renamed: ({ other, name }, index) =>
    `export { ${name}0 as passed${index} } from './${other}.mjs';`,
  wholeDefault: ({ other }, index) =>
    `import d${index} from './${other}.mjs'; export const def${index} = () => d${index};`,
  starAs: ({ other, name }) => `export * as ${name} from './${other}.mjs';`,
  lazy: ({ other }, index) =>
    `export const lazy${index} = async () => Object.keys(await import('./${other}.mjs')).join();`,
  read: ({ other, name }, index) =>
    `import { ${name}0 as r${index} } from './${other}.mjs'; export const read${index} = typeof r${index};`,
  awaited: ({ value }, index) => `export const awaited${index} = await ${value};`,
} satisfies Record<string, (statement: Statement, index: number) => string>;

const statement: fc.Arbitrary<Statement> = fc.record({
  form: fc.constantFrom(...(Object.keys(FORMS) as (keyof typeof FORMS)[])),
  other: fc.constantFrom(...FILES),
  name: fc.constantFrom('x', 'y'),
  value: fc.nat(9),
});

/** The text of a module: every one begins with a constant, so that there is something to import. */
function print(file: FileName, statements: readonly Statement[]): string {
  const isOnce = (each: Statement, index: number): boolean =>
    !['default', 'starAs'].includes(each.form) ||
    statements.findIndex((one) => one.form === each.form) === index;
  return [
    `const _ = '${file}'; export const x0 = _; export let y0 = 1;`,
    `globalThis.ranInOrder.push('${file}');`,
    ...statements.filter(isOnce).map((each, index) => FORMS[each.form](each, index + 1)),
  ].join('\n');
}

type Outcome = 'failed' | { readonly ran: readonly string[]; readonly exports: unknown };

/** Returns the order in which modules ran and the exports, or the kind of error. */
async function outcome(load: () => Promise<Record<string, unknown>>): Promise<Outcome> {
  const ran: string[] = [];
  Object.assign(globalThis, { ranInOrder: ran });
  try {
    const namespace = await load();
    const entries = Object.keys(namespace).map(async (key) => {
      const value = namespace[key];
      const called: unknown = typeof value === 'function' ? await value() : value;
      const isNamespace = typeof called === 'object' && called !== null;
      return [key, isNamespace ? Object.keys(called).join() : called];
    });
    return { ran, exports: Object.fromEntries(await Promise.all(entries)) as unknown };
  } catch {
    return 'failed';
  }
}

const WITHOUT_IMPORT = new Set<Statement['form']>([
  'constant',
  'variable',
  'function',
  'default',
  'lazy',
  'awaited',
]);

/** Returns `true` if static imports lead from some file back to that file. */
function hasCycle(all: readonly (readonly Statement[])[]): boolean {
  const targetsOf = (file: FileName): FileName[] =>
    (all[FILES.indexOf(file)] ?? [])
      .filter(({ form }) => !WITHOUT_IMPORT.has(form))
      .map(({ other }) => other);
  return FILES.some((file) => {
    const reached = new Set(targetsOf(file));
    for (const each of reached) for (const next of targetsOf(each)) reached.add(next);
    return reached.has(file);
  });
}

/** Removes the order: here, imports of a cycle from outside run before the cycle; Node.js runs them where they are met. */
const unordered = (result: Outcome): Outcome =>
  result === 'failed' ? result : { ...result, ran: result.ran.toSorted() };

// The `import()` of a test belongs to the test runner.
const dependencies = new Dependencies();

describe('importModule, compared with Node.js', () => {
  it('runs the same modules in the same order and returns the same exports', async () => {
    const modules = fc.tuple(...FILES.map(() => fc.array(statement, { maxLength: 4 })));
    const property = fc.asyncProperty(modules, async (all) => {
      const project = createLoadedProject(
        Object.fromEntries(
          FILES.map((file, index) => [`${file}.mjs`, print(file, all[index] ?? [])]),
        ),
      );
      const native = (file: string): Promise<Record<string, unknown>> =>
        dependencies.import(pathToFileURL(project.path(file)).href, project.root);
      const theirs = await outcome(() => native('a.mjs'));
      const ours = await outcome(() => project.load('a.mjs'));
      expect(hasCycle(all) ? unordered(ours) : ours).toEqual(
        hasCycle(all) ? unordered(theirs) : theirs,
      );
    });
    await fc.assert(property, { numRuns: runs(75), seed: 20 });
  });
});
