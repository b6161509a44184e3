import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestProject } from '../../../test/test-project.js';
import { isGitWriting } from './dev-server.js';

const NOW_MS = 1_700_000_000_000;

it('recognizes the lock of a repository from any folder of it, unless it was left behind', async () => {
  await using project = await createTestProject({ 'bots/one/a.ts': '' });
  const folders = [project.root, join(project.root, 'bots/one')];
  const writing = () => folders.map((folder) => isGitWriting(folder, NOW_MS));
  expect(writing()).toEqual([false, false]);
  mkdirSync(join(project.root, '.git'));
  const lock = join(project.root, '.git/index.lock');
  writeFileSync(lock, '');
  utimesSync(lock, new Date(NOW_MS), new Date(NOW_MS - 1_000));
  expect(writing()).toEqual([true, true]);
  utimesSync(lock, new Date(NOW_MS), new Date(NOW_MS - 60_000));
  expect(writing()).toEqual([false, false]);
  utimesSync(lock, new Date(NOW_MS), new Date(NOW_MS + 60_000));
  expect(writing()).toEqual([false, false]);
  rmSync(lock);
  expect(writing()).toEqual([false, false]);
});

it('finds no lock where .git is a file, as in a worktree or a submodule', async () => {
  await using project = await createTestProject({ '.git': 'gitdir: ../x/.git/worktrees/one' });
  expect(isGitWriting(project.root, NOW_MS)).toBe(false);
});
