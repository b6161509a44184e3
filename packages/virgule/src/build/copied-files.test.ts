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

  it('follows no link of a folder, and refuses what is no file', async () => {
    const outside = await projectWith({ id_rsa: 'secret' });
    const root = await projectWith(
      { '.env': 'SECRET=1', 'assets/a.txt': '', 'data/b.txt': '' },
      {
        'assets/up': '..',
        'assets/loop': 'loop',
        'assets/env.txt': '../.env',
        'data/keys': outside,
        'data/key': join(outside, 'id_rsa'),
      },
    );
    const server = createServer().listen(join(root, 'assets', 'socket'));
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    expect(await placesOf(root, 'data')).toEqual({
      files: ['assets/a.txt', 'data/b.txt'],
      refused: [
        'assets/env.txt (a link)',
        'assets/loop (a link)',
        'assets/socket (neither a file nor a folder)',
        'assets/up (a link)',
        'data/key (a link)',
        'data/keys (a link)',
      ],
    });
  });
});
