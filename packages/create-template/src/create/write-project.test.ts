import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectTarget } from './target-folder.js';
import type { TemplateFile } from './templates.js';
import { writeProject } from './write-project.js';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'write-project-test-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

/** Two files, between which the signal is aborted. */
function interrupted(): { files: readonly TemplateFile[]; signal: AbortSignal } {
  const interrupt = new AbortController();
  const files: readonly TemplateFile[] = [
    {
      path: 'first.txt',
      get content() {
        interrupt.abort();
        return 'first';
      },
    },
    { path: 'deep/second.txt', content: 'second' },
  ];
  return { files, signal: interrupt.signal };
}

describe('writeProject', () => {
  it('leaves no trace of a new folder when it is interrupted half-way', async () => {
    const { files, signal } = interrupted();
    const target = await inspectTarget(cwd, 'above/my-bot');
    const writing = writeProject({ target, files }, signal);
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
    expect(await readdir(cwd)).toEqual([]);
  });

  it('leaves a folder as it was when it is interrupted half-way', async () => {
    await mkdir(join(cwd, 'my-bot'));
    await writeFile(join(cwd, 'my-bot/notes.txt'), 'mine');
    const { files, signal } = interrupted();
    const target = await inspectTarget(cwd, 'my-bot');
    const writing = writeProject({ target, files }, signal);
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
    expect(await readdir(join(cwd, 'my-bot'))).toEqual(['notes.txt']);
  });

  it('does not write over a folder that appeared meanwhile', async () => {
    const target = await inspectTarget(cwd, 'my-bot');
    await mkdir(join(cwd, 'my-bot'));
    await writeFile(join(cwd, 'my-bot/notes.txt'), 'mine');
    const { signal } = new AbortController();
    const files = [{ path: 'first.txt', content: 'first' }];
    await expect(writeProject({ target, files }, signal)).rejects.toMatchObject({
      code: 'E_CREATE_FAILED',
    });
    expect(await readdir(cwd)).toEqual(['my-bot']);
    expect(await readdir(join(cwd, 'my-bot'))).toEqual(['notes.txt']);
  });
});
