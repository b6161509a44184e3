import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listTemplates, readTemplate } from './templates.js';

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
});
