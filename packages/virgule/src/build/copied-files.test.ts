import { createServer } from 'node:net';
import { once } from 'node:events';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { listCopied } from './copied-files.js';

async function projectWith(
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
): Promise<string> {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  for (const [place, target] of Object.entries(links)) {
    await mkdir(dirname(join(project.root, place)), { recursive: true });
    await symlink(target, join(project.root, place));
  }
  return project.root;
}

const placesOf = async (root: string, ...reached: string[]) => {
  const paths = reached.map((path) => join(root, path));
  const { entries, refused } = await listCopied(root, paths);
  return {
    files: entries.flatMap(({ place, isFolder }) => (isFolder ? [] : [place])),
    refused,
  };
};

describe('listCopied', () => {
  it('lists assets/ and what the code reaches, without hidden files and packages', async () => {
    const root = await projectWith({
      'assets/logo.svg': '',
      'assets/dist/a.txt': '',
      'assets/.env': '',
      'assets/node_modules/x/index.js': '',
      'data/deep/.git/config': '',
      'data/deep/one.txt': '',
      'dist/bot.mjs': '',
      'lib/two.txt': '',
    });
    expect(await placesOf(root, 'data/', 'lib/two.txt', 'data/deep/one.txt')).toEqual({
      files: ['assets/dist/a.txt', 'assets/logo.svg', 'data/deep/one.txt', 'lib/two.txt'],
      refused: [],
    });
  });

  it('lists nothing without assets/', async () => {
    expect(await placesOf(await projectWith({}))).toEqual({ files: [], refused: [] });
  });

  it('follows links inside the project', async () => {
    const root = await projectWith(
      { 'lib/a.txt': '', 'assets/logo.svg': '' },
      { 'assets/lib': '../lib', 'assets/same.svg': 'logo.svg' },
    );
    expect(await placesOf(root)).toEqual({
      files: ['assets/lib/a.txt', 'assets/logo.svg', 'assets/same.svg'],
      refused: [],
    });
  });

  it('follows links inside a folder of the workspace that the code reaches', async () => {
    const root = await projectWith(
      { 'shared/a/one.txt': '', 'shared/.env': '', 'bot/package.json': '{}', 'other.txt': '' },
      { 'shared/b': 'a', 'shared/c.txt': '.env', 'shared/d.txt': '../other.txt' },
    );
    expect(await placesOf(join(root, 'bot'), '../shared')).toEqual({
      files: ['_/shared/a/one.txt', '_/shared/b/one.txt'],
      refused: [
        '_/shared/c.txt (a link to a hidden file, a package or a build)',
        '_/shared/d.txt (a link out of the project)',
      ],
    });
  });

  it('refuses links out of the project, and to what is never copied, at any depth', async () => {
    const outside = await projectWith({ id_rsa: 'secret' });
    const root = await projectWith(
      { '.env': 'SECRET=1', 'assets/a.txt': '', 'data/a.txt': '', 'dist/bot.mjs': '' },
      {
        'lib/keys': outside,
        'assets/lib': '../lib',
        'assets/env.txt': '../.env',
        'assets/built': '../dist',
        'assets/virgule': '../node_modules',
        'data/keys': outside,
        'data/key': join(outside, 'id_rsa'),
      },
    );
    expect(await placesOf(root, 'data')).toEqual({
      files: ['assets/a.txt', 'data/a.txt'],
      refused: [
        'assets/built (a link to a hidden file, a package or a build)',
        'assets/env.txt (a link to a hidden file, a package or a build)',
        'assets/lib/keys (a link out of the project)',
        'assets/virgule (a link to a hidden file, a package or a build)',
        'data/key (a link out of the project)',
        'data/keys (a link out of the project)',
      ],
    });
  });

  it('refuses what cannot be copied, and ends in links that go round', async () => {
    const root = await projectWith(
      { 'assets/a.txt': '', 'data/b.txt': '' },
      {
        'assets/up': '..',
        'assets/self': '.',
        'assets/loop': 'loop',
        'assets/none': 'nowhere',
        'assets/data': '../data',
        'data/assets': '../assets',
      },
    );
    const server = createServer().listen(join(root, 'assets', 'socket'));
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    expect(await placesOf(root)).toEqual({
      files: ['assets/a.txt', 'assets/data/b.txt'],
      refused: [
        'assets/data/assets (a link to a folder around it)',
        'assets/loop (a link to nothing)',
        'assets/none (a link to nothing)',
        'assets/self (a link to a folder around it)',
        'assets/socket (neither a file nor a folder)',
        'assets/up (a link to a folder around it)',
      ],
    });
  });
});
