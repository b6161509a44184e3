import { symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { checkTypes } from './check-types.js';

const TSCONFIG = '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["*.ts"] }';
const TYPESCRIPT = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));

async function projectWith(files: Readonly<Record<string, string>>, installed = true) {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  if (installed) await symlink(TYPESCRIPT, join(project.root, 'node_modules', 'typescript'));
  return project;
}

describe('checkTypes', () => {
  it('passes a project whose types are right', async () => {
    const { root } = await projectWith({
      'tsconfig.json': TSCONFIG,
      'a.ts': 'export const a = 1;',
    });
    expect(await checkTypes(root)).toBe('checked');
  });

  it('reports every error, with the location of the first', async () => {
    const { root } = await projectWith({
      'tsconfig.json': TSCONFIG,
      'a.ts': 'export const a: string = 1;\nexport const b: number = "";\n',
    });
    await expect(checkTypes(root)).rejects.toMatchObject({
      code: 'E_TYPES',
      message: 'TypeScript found 2 errors. Nothing was built.',
      hint: 'Fix the errors, or build with --no-types.',
      location: { file: 'a.ts', line: 1, column: 14 },
      details: { frame: expect.stringContaining('a.ts(2,14): error TS2322') },
    });
  });

  it('cuts what would fill the screen', async () => {
    const lines = Array.from({ length: 50 }, (_, n) => `export const a${n}: string = 1;`);
    const { root } = await projectWith({ 'tsconfig.json': TSCONFIG, 'a.ts': lines.join('\n') });
    const error: unknown = await checkTypes(root).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ details: { count: 50 } });
    expect(String((error as { details: { frame: string } }).details.frame)).toMatch(
      /… and 20 more lines$/,
    );
  });

  it('reports a tsconfig.json that cannot be read', async () => {
    const { root } = await projectWith({ 'tsconfig.json': '{ "compilerOptions": ', 'a.ts': '' });
    await expect(checkTypes(root)).rejects.toMatchObject({ code: 'E_TYPES' });
  });

  it('shows what a compiler says that fails itself', async () => {
    const { root } = await projectWith(
      {
        'tsconfig.json': TSCONFIG,
        'node_modules/typescript/package.json': '{ "bin": { "tsc": "./tsc.js" } }',
        'node_modules/typescript/tsc.js': `throw new Error('half installed');`,
      },
      false,
    );
    await expect(checkTypes(root)).rejects.toMatchObject({
      code: 'E_TYPES',
      message: 'The types could not be checked.',
      details: { frame: expect.stringContaining('half installed') },
    });
  });

  it('says when it cannot be done', async () => {
    const bare = await projectWith({ 'a.ts': '' });
    expect(await checkTypes(bare.root)).toBe('no-tsconfig');
    const without = await projectWith({ 'tsconfig.json': TSCONFIG, 'a.ts': '' }, false);
    expect(await checkTypes(without.root)).toBe('typescript-not-installed');
  });

  it('ends with its signal', async () => {
    const { root } = await projectWith({ 'tsconfig.json': TSCONFIG, 'a.ts': '' });
    const signal = AbortSignal.abort();
    await expect(checkTypes(root, signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
