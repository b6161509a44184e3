import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createWorkplace } from './test-io.js';

const node = (args: readonly string[], cwd: string) =>
  promisify(execFile)(process.execPath, [...args], { cwd });
const packageFolder = fileURLToPath(new URL('..', import.meta.url));

describe('what is published', () => {
  it('is one file that imports nothing but Node.js, and the templates', async () => {
    await using place = await createWorkplace();
    await node([join(packageFolder, 'build.mjs'), join(place.cwd, 'dist')], packageFolder);
    const bundle = join(place.cwd, 'dist/bin/create-virgule.js');
    const imports = (await readFile(bundle, 'utf8')).matchAll(/^import .* from "(.*)";$/gm);
    expect([...imports].filter(([, name]) => !name?.startsWith('node:'))).toEqual([]);

    const { stdout } = await node([bundle, 'my-bot', '--template', 'basic', '--json'], place.cwd);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, installed: false });
    expect(await place.names('my-bot')).toEqual([
      '.dockerignore',
      '.editorconfig',
      '.env.example',
      '.github',
      '.gitignore',
      '.vscode',
      'AGENTS.md',
      'Dockerfile',
      'README.md',
      'bot.service',
      'commands',
      'events',
      'package.json',
      'tests',
      'tsconfig.json',
      'vitest.config.ts',
    ]);
    const packageText = await readFile(join(place.cwd, 'my-bot/package.json'), 'utf8');
    expect(packageText).not.toContain('workspace:');
    expect(JSON.parse(packageText)).toMatchObject({
      name: 'my-bot',
      dependencies: { virgule: expect.stringMatching(/^\^\d+\.\d+\.\d+$/) },
    });
  });

  it('is nothing of what a maintainer keeps in a template', async () => {
    await using place = await createWorkplace();
    const template = join(place.cwd, 'templates/odd');
    await mkdir(join(template, 'lib'), { recursive: true });
    await writeFile(join(template, 'package.json'), '{}');
    const kept = ['.env', '.env.local', '.env.production', '.envrc', 'lib/.env.test'];
    for (const path of ['.env.example', 'lib/a.ts', ...kept])
      await writeFile(join(template, path), 'x');
    const [out, templates] = [join(place.cwd, 'dist'), join(place.cwd, 'templates')];
    await node([join(packageFolder, 'build.mjs'), out, templates], packageFolder);
    expect(await place.names('dist/templates/odd')).toEqual([
      '.env.example',
      'lib',
      'package.json',
    ]);
    expect(await place.names('dist/templates/odd/lib')).toEqual(['a.ts']);
  });
});
