import { describe, expect, it } from 'vitest';
import { createLoadedProject } from './project-folder.js';

describe('importModule, imports and exports', () => {
  it('imports default and named exports of TypeScript', async () => {
    const { load } = createLoadedProject({
      'a.ts': `
        interface Shape { readonly side: number }
        export const side: Shape['side'] = 2;
        export function area({ side }: Shape): number { return side ** 2; }
        export enum Color { Red = 'red' }
        export default class Square { constructor(readonly shape: Shape) {} }
      `,
    });
    const module = await load('a.ts');
    expect(Object.keys(module)).toEqual(['Color', 'area', 'default', 'side']);
    expect(module).toMatchObject({ side: 2, Color: { Red: 'red' } });
    expect(Object.prototype.toString.call(module)).toBe('[object Module]');
  });

  it('takes no text for the name of an import', async () => {
    const { load } = createLoadedProject({
      'a.ts': `
        import { users } from './users.js';
        export const seen = () => \`\${users} of data/import_users.csv\`;
      `,
      'users.ts': 'export const users = 3;',
    });
    expect(((await load('a.ts'))['seen'] as () => string)()).toBe('3 of data/import_users.csv');
  });

  it('finds a missing export whose name follows a comment', async () => {
    const { load } = createLoadedProject({
      'a.ts': `import { users, // such as {x}
        gone } from './users.js'; export const seen = [users, gone];`,
      'users.ts': 'export const users = 3;',
    });
    await expect(load('a.ts')).rejects.toThrow('imports "gone" from "./users.js"');
  });

  it('imports default, named, renamed and whole modules side by side', async () => {
    const { load } = createLoadedProject({
      'a.ts': `
        import main, { one, two as second } from './b.js';
        import other, * as whole from './b.js';
        import { default as third, "spaced name" as spaced } from './b.js';
        export const seen = [main, one, second, other === main, third === main, spaced];
        export const names = Object.keys(whole);
      `,
      'b.ts': `
        const hidden = 3;
        export const one = 1, two = 2;
        export { hidden as "spaced name" };
        export default 'main';
      `,
    });
    const module = await load('a.ts');
    expect(module['seen']).toEqual(['main', 1, 2, true, true, 3]);
    expect(module['names']).toEqual(['default', 'one', 'spaced name', 'two']);
  });

  it('keeps bindings live after the import', async () => {
    const { load } = createLoadedProject({
      'a.ts': `
        import counter, { count, add } from './b.js';
        import * as whole from './b.js';
        export const read = () => [count, whole.count, counter()];
        export { add };
      `,
      'b.ts': `
        export let count = 0;
        export function add() { count += 1; }
        export default () => count;
      `,
    });
    const module = await load('a.ts');
    const { read, add } = module as { read: () => number[]; add: () => void };
    expect(read()).toEqual([0, 0, 0]);
    add();
    expect(read()).toEqual([1, 1, 1]);
  });

  it('calls an imported function without a receiver, as ES modules do', async () => {
    const { load } = createLoadedProject({
      'a.ts': `import main, { who } from './b.js'; export const seen = [who(), main()];`,
      'b.ts': `
        export function who(this: unknown) { return this; }
        export default function (this: unknown) { return this; }
      `,
    });
    expect((await load('a.ts'))['seen']).toEqual([undefined, undefined]);
  });

  it('passes exports on: export *, export * as, renamed ones and defaults', async () => {
    const { load } = createLoadedProject({
      'a.ts': `
        export * from './b.js';
        export * as inner from './b.js';
        export { one as uno, default } from './b.js';
        export * from './c.js';
        export const own = 'own';
      `,
      'b.ts': `export const one = 1; export let two = 2; export const own = 'b'; export default 'b'; export const set = () => { two = 22; };`,
      'c.ts': `export { three as tres } from './d.js'; export * from './d.js';`,
      'd.ts': `export const three = 3; export default 'not passed on';`,
    });
    const module = await load('a.ts');
    expect(Object.keys(module)).toEqual([
      'default',
      'inner',
      'one',
      'own',
      'set',
      'three',
      'tres',
      'two',
      'uno',
    ]);
    expect(module).toMatchObject({ default: 'b', own: 'own', uno: 1, tres: 3, two: 2 });
    (module['set'] as () => void)();
    expect(module).toMatchObject({ two: 22, inner: { two: 22 } });
  });

  it('passes on what comes by two ways, and neither of two things by one name', async () => {
    const { load } = createLoadedProject({
      'node_modules/pkg/package.json':
        '{ "name": "pkg", "type": "module", "exports": { ".": "./index.js", "./all": "./all.js" } }',
      'node_modules/pkg/index.js': `export const shared = {}; export const other = 1;`,
      'node_modules/pkg/all.js': `export { shared } from './index.js'; export const other = 2;`,
      'a.ts': `export * from './b.js'; export * from './c.js';`,
      'b.ts': `export * from './d.js'; export { one as name } from './d.js'; export * from 'pkg';`,
      'c.ts': `export * from './d.js'; export { two as name } from './d.js'; export * from 'pkg/all';`,
      'd.ts': `export const one = 1; export const two = 2;`,
      'e.ts': `import { name } from './a.js'; export const seen = name;`,
    });
    expect(Object.keys(await load('a.ts'))).toEqual(['one', 'shared', 'two']);
    await expect(load('e.ts')).rejects.toMatchObject({
      code: 'E_EXPORT_MISSING',
      details: { name: 'name', available: ['one', 'shared', 'two'] },
    });
  });

  it('runs modules of a cycle with live bindings', async () => {
    const { load } = createLoadedProject({
      'even.ts': `
        import { isOdd, order } from './odd.js';
        export function isEven(n: number): boolean { return n === 0 || isOdd(n - 1); }
        order.push('even');
        export { order };
      `,
      'odd.ts': `
        import { isEven } from './even.js';
        export const order: string[] = ['odd'];
        export function isOdd(n: number): boolean { return n !== 0 && isEven(n - 1); }
        export const early = isEven(0);
      `,
    });
    const module = await load('even.ts');
    expect((module['isEven'] as (n: number) => boolean)(10)).toBe(true);
    expect(module['order']).toEqual(['odd', 'even']);
    expect((await load('odd.ts'))['early']).toBe(true);
  });

  it('passes names through export * inside a cycle', async () => {
    const { load } = createLoadedProject({
      'index.ts': `export * from './a.js'; export * from './b.js';`,
      'a.ts': `import { b } from './index.js'; export const a = () => 'a' + b();`,
      'b.ts': `import { a } from './index.js'; export const b = () => 'b'; export const both = () => a();`,
    });
    expect(((await load('index.ts'))['both'] as () => string)()).toBe('ab');
  });

  it('runs each module once, dependencies first, in the order of the imports', async () => {
    const { load } = createLoadedProject({
      'a.ts': `import './b.js'; import './c.js'; import 'pkg'; import './d.js'; (globalThis as any).ran.push('a');`,
      'b.ts': `import './shared.js'; (globalThis as any).ran.push('b');`,
      'c.ts': `import './shared.js'; (globalThis as any).ran.push('c');`,
      'd.ts': `(globalThis as any).ran.push('d');`,
      'shared.ts': `(globalThis as any).ran = ['shared'];`,
      'node_modules/pkg/package.json':
        '{ "name": "pkg", "type": "module", "exports": "./index.js" }',
      'node_modules/pkg/index.js': `globalThis.ran.push('pkg');`,
    });
    await load('a.ts');
    expect((globalThis as { ran?: string[] }).ran).toEqual(['shared', 'b', 'c', 'pkg', 'd', 'a']);
  });

  it('leaves out imports of types, with and without verbatimModuleSyntax', async () => {
    const files = {
      'types.ts': `export interface A { a: 1 } export const value = 1; (globalThis as any).typesRan = true;`,
      'only.ts': `export type B = 1; throw new Error('a file of types was run');`,
    };
    const loose = createLoadedProject({
      ...files,
      'a.ts': `
        import { A } from './types.js';
        import { B } from './only.js';
        import type { C } from './no-such-file.js';
        export { A } from './types.js';
        export const x: A | B | C = 1 as never;
      `,
    });
    expect(Object.keys(await loose.load('a.ts'))).toEqual(['x']);
    const strict = createLoadedProject({
      ...files,
      'tsconfig.json': '{ "compilerOptions": { "verbatimModuleSyntax": true } }',
      'a.ts': `
        import { type A, value } from './types.js';
        import type { B } from './only.js';
        export type { A } from './types.js';
        export const x: A | B | number = value;
      `,
    });
    expect(await strict.load('a.ts')).toMatchObject({ x: 1 });
  });
});
