import { appendFileSync, renameSync, symlinkSync, truncateSync } from 'node:fs';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { watchProject } from '../../src/loader/watch.js';
import { createLoadedProject, createProjectFolder } from './project-folder.js';
import { until, watched } from './watched-project.js';

describe('watchProject', () => {
  it('tells changed, added and deleted files, in new folders too', async () => {
    const { seen, write, remove } = await watched({ 'commands/a.ts': 'a', 'commands/b.ts': 'b' });
    write('commands/a.ts', 'longer');
    await until(() => expect(seen).toEqual(['commands/a.ts']));
    write('commands/deep/c.ts', 'new');
    await until(() => expect(seen).toContain('commands/deep/c.ts'));
    remove('commands/b.ts');
    await until(() => expect(seen).toContain('commands/b.ts'));
  });

  it('atomic saves: tells one change for a file that is replaced by another one', async () => {
    const { seen, write, path: pathTo } = await watched({ 'a.ts': 'a', 'b.ts': 'b' });
    write('.a.ts.new', 'longer text');
    renameSync(pathTo('.a.ts.new'), pathTo('a.ts'));
    await until(() => expect(seen).toContain('a.ts'));
    write('b.ts', 'longer');
    await until(() => expect(seen).toContain('b.ts'));
    expect(seen).toEqual(['a.ts', 'b.ts']);
  });

  it('swap files: leaves out files of editors, dependencies, builds and dot-folders, not .env', async () => {
    const { seen, write } = await watched(
      { 'a.ts': 'a', 'src/dist/x.ts': 'x' },
      { ignored: (file) => file.endsWith('.log') },
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

  it('a checkout of 500 files: tells each that came, changed or went', async () => {
    const name = (n: number): string => `commands/group${n % 7}/c${n}.ts`;
    const before = Array.from({ length: 500 }, (_, n) => name(n));
    const { seen, write, remove } = await watched(
      Object.fromEntries(before.map((file) => [file, 'x'])),
    );
    const expected = new Set<string>();
    for (let n = 0; n < 750; n += 1) {
      // A third goes, a third changes, a third stays; as many come.
      if (n < 500 && n % 3 === 0) remove(name(n));
      else if (n < 500 && n % 3 === 1) write(name(n), 'longer');
      else if (n >= 500) write(name(n), 'new');
      else continue;
      expected.add(name(n));
    }
    expect(expected.size).toBeGreaterThan(500);
    await until(() => expect(new Set(seen)).toEqual(expected));
  });

  it('case-only renames: tells both spellings', async () => {
    const { seen, path: pathTo } = await watched({ 'commands/play.ts': 'a' });
    renameSync(pathTo('commands/play.ts'), pathTo('commands/Play.ts'));
    await until(() => expect(seen.toSorted()).toEqual(['commands/Play.ts', 'commands/play.ts']));
  });

  it('polling: looks at the files itself when it is asked to', async () => {
    const { seen, write } = await watched({ 'a.ts': 'a' }, { poll: true });
    let text = 'a';
    await until(() => {
      // The first look of a poll may come after the first write.
      write('a.ts', (text += 'a'));
      expect(seen).toContain('a.ts');
    }, 300);
  });

  it('tells what is in folders that come, move and go', async () => {
    const project = await watched({
      'commands/a.ts': 'a',
      'commands/x/b.ts': 'b',
      'other/c.ts': 'c',
    });
    const { seen, write, remove, path: pathTo } = project;
    renameSync(pathTo('commands/x'), pathTo('commands/y'));
    await until(() => expect(seen.toSorted()).toEqual(['commands/x/b.ts', 'commands/y/b.ts']));
    seen.length = 0;
    write('commands/y/b.ts', 'longer');
    await until(() => expect(seen).toEqual(['commands/y/b.ts']));
    seen.length = 0;
    remove('commands');
    await until(() => expect(new Set(seen)).toEqual(new Set(['commands/a.ts', 'commands/y/b.ts'])));
    write('commands/deep/er/d.ts', 'd');
    await until(() => expect(seen).toContain('commands/deep/er/d.ts'));
    // Gone and there again, before anybody could look.
    seen.length = 0;
    remove('commands');
    write('commands/a.ts', 'again');
    await until(() =>
      expect(new Set(seen)).toEqual(new Set(['commands/a.ts', 'commands/deep/er/d.ts'])),
    );
    seen.length = 0;
    write('commands/a.ts', 'and longer');
    await until(() => expect(seen).toContain('commands/a.ts'));
    // A folder becomes a file, and a file a folder.
    seen.length = 0;
    remove('other');
    write('other', 'a file');
    await until(() => expect(new Set(seen)).toEqual(new Set(['other', 'other/c.ts'])));
    remove('other');
    write('other/e.ts', 'e');
    await until(() => expect(seen).toContain('other/e.ts'));
  });

  it('follows links to folders, round in a circle at most once', async () => {
    const outside = createProjectFolder({ 'lib/a.ts': 'a' });
    const { seen, path: pathTo } = await watched({ 'commands/b.ts': 'b' });
    symlinkSync(outside.path('lib'), pathTo('commands/linked'));
    symlinkSync(pathTo('.'), pathTo('commands/circle'));
    await until(() => expect(seen).toContain('commands/linked/a.ts'));
    seen.length = 0;
    outside.write('lib/a.ts', 'longer');
    await until(() => expect(seen).toEqual(['commands/linked/a.ts']));
  });

  it('tells a file that was emptied, and no file that is only emptied before it is written', async () => {
    const clock = createFakeClock();
    const { seen, write, path: pathTo } = await watched({ 'a.ts': 'text', 'b.ts': 'b' }, { clock });
    truncateSync(pathTo('a.ts'));
    await until(() => expect(clock.pending).toBe(1));
    expect(seen).toEqual([]);
    write('a.ts', 'written');
    await until(() => expect(seen).toEqual(['a.ts']));
    await clock.advance(30);
    expect(seen).toEqual(['a.ts']);
    truncateSync(pathTo('b.ts'));
    await until(() => expect(clock.pending).toBe(1));
    await clock.advance(20);
    await until(() => expect(seen).toEqual(['a.ts', 'b.ts']));
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

  it('edits during a reload: each is taken, in order, and the last one counts', async () => {
    const project = createLoadedProject({
      'commands/a.ts': `import { text } from '../lib/b.js'; export const run = () => text;`,
      'lib/b.ts': `export const text = 'none';`,
    });
    const { loader, load, write, root } = project;
    await load('commands/a.ts');
    const running = new Set<Promise<unknown>>();
    let overlaps = 0;
    const onChange = (paths: readonly string[]): void => {
      if (running.size > 0) overlaps += 1;
      const applied = loader.apply(paths).finally(() => running.delete(applied));
      running.add(applied);
    };
    await using watcher = watchProject({ root, onChange });
    await watcher.ready;
    for (let n = 1; n <= 20; n += 1) {
      // Takes a while to load: the next save falls into it.
      write(
        'lib/b.ts',
        `await new Promise((resolve) => setTimeout(resolve, 30)); export const text = 'edit ${n}';`,
      );
      await until(() => expect(running.size).toBeGreaterThan(0), 1);
    }
    const answer = async (): Promise<unknown> =>
      ((await load('commands/a.ts'))['run'] as () => unknown)();
    await until(async () => expect(await answer()).toBe('edit 20'));
    expect(overlaps).toBeGreaterThan(0);
  });

  it('half-written files: what is seen in between is read once more, and no error is told', async () => {
    const project = createLoadedProject({ 'a.ts': `export const run = () => 'old';` });
    const { loader, load, write, root, path: pathTo } = project;
    await load('a.ts');
    const failures: unknown[] = [];
    const onChange = (paths: readonly string[]): void => {
      void loader
        .apply(paths)
        .then((result) => result.outcome === 'swapped' && failures.push(...result.failures));
    };
    await using watcher = watchProject({ root, onChange });
    await watcher.ready;
    const whole = `export const run = () => 'whole';`;
    write('a.ts', whole.slice(0, 20));
    // The rest comes in the same moment, as from an editor that writes in two steps.
    // oxlint-disable-next-line virgule/outside-world -- an editor is not on anybody's clock.
    setImmediate(() => appendFileSync(pathTo('a.ts'), whole.slice(20)));
    await until(async () => expect(((await load('a.ts'))['run'] as () => unknown)()).toBe('whole'));
    expect(failures).toEqual([]);
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
      void loader
        .apply(paths)
        .then((result) => result.outcome === 'swapped' && errors.push(...result.failures));
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
