import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { version } from '../terminal/version.js';
import { checkNode, checkPackages } from './check-packages.js';

const OWN = fileURLToPath(new URL('../..', import.meta.url));

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'virgule-packages-'));
});
afterEach(() => rm(root, { recursive: true }));

async function install(path: string, content: object): Promise<void> {
  await mkdir(join(root, path), { recursive: true });
  await writeFile(join(root, path, 'package.json'), JSON.stringify(content));
}

/** Installs a package by a link, as a workspace does. */
async function link(path: string, target: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await symlink(target, join(root, path));
}

const lines = () => Object.fromEntries(checkPackages(root).map((line) => [line.name, line]));

describe('checkPackages', () => {
  it('is content with one virgule and one zod', async () => {
    await link('node_modules/virgule', OWN);
    await link('node_modules/zod', join(OWN, 'node_modules', 'zod'));
    expect(lines()).toMatchObject({
      virgule: { status: 'ok', message: version },
      zod: { status: 'ok', message: expect.stringMatching(/^4\.\d+\.\d+$/) },
    });
  });

  it('misses what is not installed', () => {
    expect(lines()).toMatchObject({
      virgule: { status: 'fail', hint: expect.stringContaining('npm install virgule') },
      zod: { status: 'fail', message: 'not installed', hint: expect.stringContaining('zod') },
    });
  });

  it('knows a virgule that is not the one of the project', async () => {
    await install('node_modules/virgule', { name: 'virgule', version: '0.0.9' });
    expect(lines()['virgule']).toEqual({
      name: 'virgule',
      status: 'warn',
      message: `this is ${version}, but 0.0.9 is installed in the project`,
      hint: expect.stringContaining('npx virgule'),
    });
  });

  it('knows a zod that is too old', async () => {
    await install('node_modules/zod', { name: 'zod', version: '3.25.76' });
    expect(lines()['zod']).toMatchObject({ status: 'fail', message: '3.25.76 is too old' });
  });

  it('treats a package.json that cannot be read as missing', async () => {
    await writeFile(join(root, 'package.json'), '{');
    await link('node_modules/zod', join(OWN, 'node_modules', 'zod'));
    expect(lines()['zod']?.status).toBe('ok');
  });
});

describe('checkNode', () => {
  it.each([
    ['20.19.0', 'ok'],
    ['20.20.2', 'ok'],
    ['24.1.0', 'ok'],
    ['20.18.9', 'fail'],
    ['18.20.0', 'fail'],
  ])('calls %s %s', (nodeVersion, status) => {
    expect(checkNode(nodeVersion)).toMatchObject({ name: 'Node.js', status });
  });
});
