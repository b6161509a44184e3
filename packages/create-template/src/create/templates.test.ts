import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findTemplate, listTemplates, readTemplate } from './templates.js';

/** A folder of templates with these files, each of which holds its own path. */
async function templatesWith(paths: readonly string[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'virgule-templates-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), path.endsWith('.json') ? '{}' : path);
  }
  return root;
}

describe('readTemplate', () => {
  it('leaves out what building and running the template left behind, at any depth', async () => {
    const folder = await templatesWith([
      'basic/package.json',
      'basic/_gitignore',
      'basic/.env',
      'basic/.env.example',
      'basic/.env.local',
      'basic/.env.production',
      'basic/.env.production.local',
      'basic/.envrc',
      'basic/commands/.env.development',
      'basic/.turbo/log',
      'basic/.virgule/dev.lock',
      'basic/commands/node_modules/x/index.js',
      'basic/commands/hello.ts',
      'basic/dist/bot.mjs',
      'basic/node_modules/virgule/index.js',
    ]);
    const [template] = await listTemplates(folder);
    if (template === undefined) throw new Error('there is no template');
    const files = await readTemplate(template, 'my-bot');
    expect(files.map(({ path }) => path)).toEqual([
      '.env.example',
      '.gitignore',
      'commands/hello.ts',
      'package.json',
    ]);
  });

  it('leaves out the samples of the template basic, and their lines in its README', async () => {
    const folder = join(import.meta.dirname, '../../../../templates');
    const template = findTemplate(await listTemplates(folder), 'basic');
    const samples = ['commands/', 'events/', 'tests/'];
    const readFiles = async (bare: boolean) => {
      const files = await readTemplate(template, 'my-bot', bare);
      const readme = String(files.find(({ path }) => path === 'README.md')?.content);
      const paths = files
        .map(({ path }) => path)
        .filter((path) => samples.some((name) => path.startsWith(name)));
      const listed = Array.from(readme.matchAll(/^\| `(.+?)`/gm), ([, path]) => path);
      expect(listed).toEqual(expect.arrayContaining(paths));
      return { count: files.length - paths.length, paths, listed };
    };
    const [all, bare] = [await readFiles(false), await readFiles(true)];
    expect(bare).toEqual({
      count: all.count,
      paths: ['commands/hello.ts', 'tests/bot.test.ts'],
      listed: ['commands/hello.ts', 'tests/bot.test.ts'],
    });
  });
});
