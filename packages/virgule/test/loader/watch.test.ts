import path from 'node:path';
import { appendFileSync, renameSync, symlinkSync, truncateSync } from 'node:fs';
import { createFakeClock, systemClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { watchProject, type WatchOptions } from '../../src/loader/watch/watch-project.js';
import { createLoadedProject, createProjectFolder } from './project-folder.js';
import { until, watched } from './watched-project.js';

const OPTIONS: Omit<WatchOptions, 'root' | 'onChange'> = {
  clock: systemClock,
  onError(error) {
    throw error;
  },
};

/** Lets a link lead to another path, as `ln -sfn` does. */
function link(target: string, file: string): void {
  symlinkSync(target, `${file}~`);
  renameSync(`${file}~`, file);
}

describe('watchProject', () => {
  it('reports changed, added and deleted files, in new folders too', async () => {
    const { seen, write, remove } = watched({ 'commands/a.ts': 'a', 'commands/b.ts': 'b' });
    write('commands/a.ts', 'longer');
    await until(() => expect(seen).toEqual(['commands/a.ts']));
    write('commands/deep/c.ts', 'new');
    await until(() => expect(seen).toContain('commands/deep/c.ts'));
    remove('commands/b.ts');
    await until(() => expect(seen).toContain('commands/b.ts'));
  });

  it('atomic saves: reports one change for a file that is replaced by another one', async () => {
    const { seen, write, path: pathTo } = watched({ 'a.ts': 'a', 'b.ts': 'b' });
    write('.a.ts.new', 'longer text');
    renameSync(pathTo('.a.ts.new'), pathTo('a.ts'));
    await until(() => expect(seen).toContain('a.ts'));
    write('b.ts', 'longer');
    await until(() => expect(seen).toContain('b.ts'));
    expect(seen).toEqual(['a.ts', 'b.ts']);
  });

  it('leaves out swap files, dependencies, builds, dot-folders and the variables of other modes', async () => {
    const files = { 'a.ts': 'a', 'src/dist/x.ts': 'x' };
    const { seen, write } = watched(files, { mode: 'staging' });
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
      '.env.production',
      '.env.example',
    ];
    for (const file of ignored) write(file, 'text');
    const reported = ['.env.local', '.env.staging', 'assets/words.txt', 'last.ts', 'src/dist/x.ts'];
    for (const file of reported) write(file, 'longer');
    await until(() => expect(seen.toSorted()).toEqual(reported));
  });

  it('reports a change that follows closely after another one', async () => {
    const { seen, write } = watched({ 'a.ts': 'a' });
    write('a.ts', 'saved');
    await until(() => expect(seen).toEqual(['a.ts']), 1);
    write('a.ts', 'saved and formatted');
    await until(() => expect(seen).toEqual(['a.ts', 'a.ts']));
  });

  it('a checkout of 500 files: reports each added, changed and removed file', async () => {
    const name = (n: number): string => `commands/group${n % 7}/c${n}.ts`;
    const before = Array.from({ length: 500 }, (_, n) => name(n));
    const { seen, write, remove } = watched(Object.fromEntries(before.map((file) => [file, 'x'])));
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

  it('case-only renames: reports both spellings', async () => {
    const { seen, path: pathTo } = watched({ 'commands/play.ts': 'a' });
    renameSync(pathTo('commands/play.ts'), pathTo('commands/Play.ts'));
    await until(() => expect(seen.toSorted()).toEqual(['commands/Play.ts', 'commands/play.ts']));
  });

  it('polling: compares the files itself', async () => {
    const { seen, write, remove } = watched(
      { 'a.ts': 'a', 'commands/b.ts': 'b', 'lib/c.ts': 'c' },
      { poll: true },
    );
    write('a.ts', 'longer');
    write('commands/deep/d.ts', 'new');
    remove('commands/b.ts');
    remove('lib');
    const files = ['a.ts', 'commands/b.ts', 'commands/deep/d.ts', 'lib/c.ts'];
    await until(() => expect(seen.toSorted()).toEqual(files));
    write('commands/deep/d.ts', 'longer');
    await until(() => expect(seen).toHaveLength(5));
  });

  it('reports the files of folders that are added, moved and removed', async () => {
    const project = watched({
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
    // Gone and there again, before it could be seen.
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
    await until(() => expect(seen).toEqual(['other/c.ts']));
    remove('other');
    write('other/e.ts', 'e');
    await until(() => expect(seen).toContain('other/e.ts'));
  });

  it('follows links to folders, round in a circle at most once', async () => {
    const outside = createProjectFolder({ 'lib/a.ts': 'a' });
    const { seen, path: pathTo } = watched({ 'commands/b.ts': 'b' });
    symlinkSync(outside.path('lib'), pathTo('commands/linked'));
    symlinkSync(pathTo('.'), pathTo('commands/circle'));
    await until(() => expect(seen).toContain('commands/linked/a.ts'));
    seen.length = 0;
    outside.write('lib/a.ts', 'longer');
    await until(() => expect(seen).toEqual(['commands/linked/a.ts']));
  });

  it.each([
    ['sed -i', 'commands/sedGIoKWU', 'commands/a.ts'],
    ['another program', 'commands/a.tmp.ts', 'commands/a.ts'],
  ])('reports a file once that %s replaces with another one', async (_, temporary, file) => {
    const { seen, write, path: pathTo } = watched({ [file]: 'a', 'z.ts': 'z' });
    write(temporary, 'lon');
    write(temporary, 'longer');
    renameSync(pathTo(temporary), pathTo(file));
    await until(() => expect(seen).toEqual([file]));
    write('z.ts', 'longer');
    await until(() => expect(seen).toEqual([file, 'z.ts']));
  });

  it('reports a file once that is moved away and written again', async () => {
    const { seen, write, remove, path: pathTo } = watched({ 'a.ts': 'a', 'z.ts': 'z' });
    renameSync(pathTo('a.ts'), pathTo('a.ts~'));
    write('a.ts', 'longer');
    remove('a.ts~');
    await until(() => expect(seen).toEqual(['a.ts']));
    write('z.ts', 'longer');
    await until(() => expect(seen).toEqual(['a.ts', 'z.ts']));
  });

  it('watches a folder in another one outside of the project where it is asked to watch both', async () => {
    const outside = createProjectFolder({ 'shared/a.ts': 'a', 'shared/deep/b.ts': 'b' });
    // Only the events of the system: nothing is compared, as no time passes.
    const { watcher, root, seen } = watched({ 'z.ts': 'z' }, { clock: createFakeClock() });
    const isSeen = (file: string) => {
      let text = 'longer';
      return until(() => {
        outside.write(file, (text += '.'));
        expect(seen).toContain(path.relative(root, outside.path(file)));
      }, 60);
    };
    watcher.add([outside.path('shared')]);
    await isSeen('shared/a.ts');
    watcher.add([outside.path('shared'), outside.path('shared/deep')]);
    await isSeen('shared/deep/b.ts');
  });

  it('watches folders outside of the project, and those that it leaves out, where it is asked to', async () => {
    const outside = createProjectFolder({ 'shared/a.ts': 'a', 'shared/deep/b.ts': 'b' });
    const { seen, watcher, write, root } = watched({ 'z.ts': 'z', '.generated/c.ts': 'c' });
    watcher.add([outside.path('shared'), `${root}/.generated`, root]);
    outside.write('shared/deep/b.ts', 'longer');
    outside.write('shared/.hidden.ts', 'text');
    outside.write('shared/a.ts', 'longer');
    write('.generated/c.ts', 'longer');
    write('z.ts', 'longer');
    const files = [path.relative(root, outside.path('shared/a.ts')), '.generated/c.ts', 'z.ts'];
    await until(() => expect(seen.toSorted()).toEqual(files));
    seen.length = 0;
    outside.write('shared/new.ts', 'text');
    await until(() => expect(seen).toEqual([path.relative(root, outside.path('shared/new.ts'))]));
  });

  it.each([
    ['inside', false],
    ['outside', true],
  ])(
    'reports what a link leads to that is changed to another file %s of the project, and follows it',
    async (_, isOutside) => {
      const outside = createProjectFolder({ 'real/a.ts': 'a', 'real/b.ts': 'bb' });
      const {
        seen,
        watcher,
        write,
        path: pathTo,
      } = watched({ 'real/a.ts': 'a', 'real/b.ts': 'bb', 'z.ts': 'z' });
      const real = isOutside ? outside : { path: pathTo, write };
      watcher.add([real.path('real')]);
      symlinkSync(real.path('real/a.ts'), pathTo('x.ts'));
      await until(() => expect(seen).toEqual(['x.ts']));
      link(real.path('real/b.ts'), pathTo('x.ts'));
      await until(() => expect(seen).toEqual(['x.ts', 'x.ts']));
      // A plain file becomes a link.
      link(real.path('real/a.ts'), pathTo('z.ts'));
      await until(() => expect(seen.slice(2)).toEqual(['z.ts']));
      real.write('real/b.ts', 'longer');
      await until(() => expect(seen.slice(3)).toHaveLength(1));
      expect(seen[3]).toMatch(/real\/b\.ts$/);
    },
  );

  it.each([
    ['inside', false],
    ['outside', true],
  ])(
    'reports what a link leads to that is changed to another folder %s of the project, and follows it',
    async (_, isOutside) => {
      const releases = {
        '1/a.ts': 'a',
        '1/old.ts': 'o',
        '2/a.ts': 'aa',
        '2/new.ts': 'n',
        '2/deep/c.ts': 'c',
      };
      const outside = createProjectFolder(releases);
      const { seen, write, path: pathTo } = watched({ ...releases, 'commands/z.ts': 'z' });
      const real = isOutside ? outside : { path: pathTo, write };
      symlinkSync(real.path('1'), pathTo('commands/rel'));
      write('commands/z.ts', 'longer');
      // Files inside are known by their own paths.
      const count = isOutside ? 3 : 1;
      await until(() => expect(seen).toHaveLength(count));
      seen.length = 0;
      link(real.path('2'), pathTo('commands/rel'));
      const files = ['a.ts', 'deep/c.ts', 'new.ts', 'old.ts'].map((file) => `commands/rel/${file}`);
      await until(() => expect([...new Set(seen)].toSorted()).toEqual(files));
      seen.length = 0;
      real.write('2/deep/c.ts', 'longer');
      await until(() =>
        expect(seen).toContain(isOutside ? 'commands/rel/deep/c.ts' : '2/deep/c.ts'),
      );
    },
  );

  it('reports a file once that several links lead to', async () => {
    const outside = createProjectFolder({ 'lib/a.ts': 'a', 'lib/deep/b.ts': 'b' });
    const { seen, watcher, write, path: pathTo } = watched({ 'z.ts': 'z' });
    // Known by itself before it is known by the link, and with fewer folders.
    watcher.add([outside.path('lib')]);
    symlinkSync(outside.path('lib'), pathTo('linked'));
    // Each folder has its own time: files of two are reported in any order.
    const both = ['linked/a.ts', 'linked/deep/b.ts'];
    await until(() => expect(seen).toEqual(expect.arrayContaining(both)));
    watcher.add([outside.path('lib')]);
    seen.length = 0;
    outside.write('lib/a.ts', 'longer');
    await until(() => expect(seen).toEqual(['linked/a.ts']));
    outside.write('lib/deep/b.ts', 'longer');
    await until(() => expect(seen).toContain('linked/deep/b.ts'));
    write('z.ts', 'longer');
    await until(() => expect(seen).toContain('z.ts'));
    expect(seen).toEqual(['linked/a.ts', 'linked/deep/b.ts', 'z.ts']);
  });

  it('reports a file that was emptied, and no file that is only emptied before it is written', async () => {
    const clock = createFakeClock();
    const { seen, write, path: pathTo } = watched({ 'a.ts': 'text', 'b.ts': 'b' }, { clock });
    truncateSync(pathTo('a.ts'));
    await until(() => expect(clock.pending).toBe(2));
    expect(seen).toEqual([]);
    write('a.ts', 'written');
    await until(() => expect(seen).toEqual(['a.ts']));
    await clock.advance(30);
    expect(seen).toEqual(['a.ts']);
    truncateSync(pathTo('b.ts'));
    await until(async () => {
      await clock.advance(20);
      expect(seen).toEqual(['a.ts', 'b.ts']);
    });
  });

  it.each([false, true])(
    'reports a save at once, without comparing the folder again (polling: %s)',
    async (poll) => {
      // Its time does not pass: only chokidar can report something.
      const { seen, write } = watched(
        { 'a.ts': 'a', 'b.ts': 'b' },
        { poll, clock: createFakeClock() },
      );
      write('a.ts', 'saved before all was watched');
      await until(() => expect(seen).toEqual(['a.ts']));
      // A file that is polled has its first look some time after a.ts was reported: no look misses each of these.
      let text = 'longer';
      if (!poll) write('b.ts', text);
      await until(() => {
        if (poll) write('b.ts', (text += '.'));
        expect(seen).toEqual(['a.ts', 'b.ts']);
      });
    },
  );

  it('compares the folder after chokidar watches it, however long that took', async () => {
    const clock = createFakeClock();
    watched({ 'a.ts': 'a' }, { poll: true, clock });
    for (let n = 0; n < 5; n += 1) clock.stall(500, { fireTimers: true });
    expect(clock.pending).toBe(0);
    await until(() => expect(clock.pending).toBe(1));
  });

  it('reports nothing once closed', async () => {
    const { seen, write, watcher } = watched({ 'a.ts': 'a' });
    watcher.close();
    const other = watched({ 'a.ts': 'a' });
    write('a.ts', 'longer');
    other.write('a.ts', 'longer');
    await until(() => expect(other.seen).toEqual(['a.ts']));
    expect(seen).toEqual([]);
  });

  it.each([false, true])('leaves nothing open once closed (polling: %s)', async (poll) => {
    const open = (): string[] =>
      process.getActiveResourcesInfo().filter((name) => /StatWatcher|FSEvent/i.test(name));
    await until(() => expect(open()).toEqual([]));
    const outside = createProjectFolder({ 'shared/a.ts': 'a' });
    const clock = createFakeClock();
    const { seen, watcher } = watched({ 'a.ts': 'a' }, { poll, clock });
    watcher.add([outside.path('shared')]);
    await until(() => expect(open()).not.toEqual([]));
    // It waits for a folder that may come back.
    outside.remove('shared');
    await until(async () => {
      await clock.advance(20);
      expect(seen).toHaveLength(1);
    });
    watcher.close();
    watcher.add([outside.root]);
    await until(() => expect(open()).toEqual([]));
    await clock.advance(1_000);
    expect(clock.pending).toBe(0);
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
    const onChange = (file: string): void => {
      if (running.size > 0) overlaps += 1;
      const applied = loader.apply([file]).finally(() => running.delete(applied));
      running.add(applied);
    };
    using _ = watchProject({ ...OPTIONS, root, onChange });
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

  it('half-written files: are read once more after a pause, and no error is reported', async () => {
    const project = createLoadedProject({ 'a.ts': `export const run = () => 'old';` });
    const { loader, load, write, root, path: pathTo } = project;
    await load('a.ts');
    const failures: unknown[] = [];
    const onChange = (file: string): void => {
      void loader.apply([file]).then((result) => failures.push(...result.failures));
    };
    using _ = watchProject({ ...OPTIONS, root, onChange });
    const whole = `export const run = () => 'whole';`;
    write('a.ts', whole.slice(0, 20));
    // The rest comes in the same moment, as from an editor that writes in two steps.
    // oxlint-disable-next-line virgule/outside-world -- an editor does not use our clock.
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
    const onChange = (file: string): void => {
      void loader.apply([file]).then((result) => errors.push(...result.failures));
    };
    using _ = watchProject({ ...OPTIONS, root, onChange });
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
