import { renameSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { watchProject, type ProjectWatcher } from '../../src/loader/watch.js';
import {
  createLoadedProject,
  createProjectFolder,
  type Files,
  type ProjectFolder,
} from './project-folder.js';

interface WatchedProject extends ProjectFolder {
  readonly watcher: ProjectWatcher;
  readonly seen: string[];
}

async function watched(files: Files, ignored?: (file: string) => boolean): Promise<WatchedProject> {
  const project = createProjectFolder(files);
  const seen: string[] = [];
  const onChange = (paths: readonly string[]): void => {
    seen.push(...paths.map((file) => path.relative(project.root, file)));
  };
  const watcher = watchProject({ root: project.root, onChange, ignored });
  onTestFinished(() => watcher.close());
  await watcher.ready;
  return { ...project, watcher, seen };
}

/** Waits for what the system tells in its own time. */
function until(check: () => unknown, intervalMs = 10): Promise<unknown> {
  return vi.waitFor(check, { timeout: 15_000, interval: intervalMs });
}

describe('watchProject', { timeout: 30_000 }, () => {
  it('tells changed, added and deleted files, in new folders too', async () => {
    const { seen, write, remove } = await watched({ 'commands/a.ts': 'a', 'commands/b.ts': 'b' });
    write('commands/a.ts', 'longer');
    await until(() => expect(seen).toEqual(['commands/a.ts']));
    write('commands/deep/c.ts', 'new');
    await until(() => expect(seen).toContain('commands/deep/c.ts'));
    remove('commands/b.ts');
    await until(() => expect(seen).toContain('commands/b.ts'));
  });

  it('tells one change for a file that is replaced by another one', async () => {
    const { seen, write, path: pathTo } = await watched({ 'a.ts': 'a', 'b.ts': 'b' });
    write('.a.ts.new', 'longer text');
    renameSync(pathTo('.a.ts.new'), pathTo('a.ts'));
    await until(() => expect(seen).toContain('a.ts'));
    write('b.ts', 'longer');
    await until(() => expect(seen).toContain('b.ts'));
    expect(seen).toEqual(['a.ts', 'b.ts']);
  });

  it('leaves out dependencies, builds, dot-folders and files of editors, not .env', async () => {
    const { seen, write } = await watched({ 'a.ts': 'a', 'src/dist/x.ts': 'x' }, (file) =>
      file.endsWith('.log'),
    );
    const ignored = [
      'node_modules/x/index.js',
      'src/node_modules/y.js',
      'dist/bot.mjs',
      '.git/HEAD',
      'a.ts~',
      '.a.ts.swp',
      '4913',
      'out.log',
      'src/.cache/x.ts',
    ];
    for (const file of ignored) write(file, 'text');
    write('.env.local', 'A=1');
    write('src/dist/x.ts', 'longer');
    write('last.ts', 'text');
    await until(() => expect(seen.toSorted()).toEqual(['.env.local', 'last.ts', 'src/dist/x.ts']));
  });

  it('tells a change that follows closely after another one', async () => {
    const { seen, write } = await watched({ 'a.ts': 'a' });
    write('a.ts', 'saved');
    await until(() => expect(seen).toEqual(['a.ts']), 1);
    write('a.ts', 'saved and formatted');
    await until(() => expect(seen).toEqual(['a.ts', 'a.ts']));
  });

  it('tells each of many files that change together', async () => {
    const names = Array.from({ length: 200 }, (_, n) => `commands/c${n}.ts`);
    const { seen, write } = await watched(Object.fromEntries(names.map((name) => [name, 'x'])));
    for (const name of names) write(name, 'longer');
    await until(() => expect(new Set(seen)).toEqual(new Set(names)));
  });

  it('polls when the environment asks for it', async () => {
    vi.stubEnv('CHOKIDAR_USEPOLLING', 'true');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { seen, write } = await watched({ 'a.ts': 'a' });
    let text = 'a';
    await until(() => {
      // The first look of a poll may come after the first write.
      write('a.ts', (text += 'a'));
      expect(seen).toContain('a.ts');
    }, 300);
  });

  it('tells nothing once closed', async () => {
    const { seen, write, watcher } = await watched({ 'a.ts': 'a' });
    await watcher.close();
    const other = await watched({ 'a.ts': 'a' });
    write('a.ts', 'longer');
    other.write('a.ts', 'longer');
    await until(() => expect(other.seen).toEqual(['a.ts']));
    expect(seen).toEqual([]);
  });

  it('feeds a loader: save, and the new code answers', async () => {
    const project = createLoadedProject({
      'commands/a.ts': `import { text } from '../lib/b.js'; export const run = () => text;`,
      'lib/b.ts': `export const text = 'one';`,
    });
    const { loader, load, write, root } = project;
    await load('commands/a.ts');
    const errors: unknown[] = [];
    const onChange = (paths: readonly string[]): void => {
      loader.apply(paths).catch((error: unknown) => errors.push(error));
    };
    await using watcher = watchProject({ root, onChange });
    await watcher.ready;
    const answer = async (): Promise<unknown> =>
      ((await load('commands/a.ts'))['run'] as () => unknown)();
    write('lib/b.ts', `export const text = 'second';`);
    await until(async () => expect(await answer()).toBe('second'));
    write('lib/b.ts', `export const text = ;`);
    await until(() => expect(errors).toMatchObject([{ code: 'E_SYNTAX' }]));
    expect(await answer()).toBe('second');
    write('lib/b.ts', `export const text = 'third time';`);
    await until(async () => expect(await answer()).toBe('third time'));
  });
});
