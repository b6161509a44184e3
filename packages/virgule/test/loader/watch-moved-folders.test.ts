import { renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { createFakeClock, systemClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { watchProject } from '../../src/loader/watch/watch-project.js';
import { createProjectFolder } from './project-folder.js';
import { until, watched } from './watched-project.js';

/** A file, the folder that is deleted with it, and the path by which the project knows the file. */
interface Place {
  readonly file: string;
  readonly deleted: string;
  readonly added?: readonly string[];
  readonly link?: readonly [target: string, link: string];
  readonly reported?: string;
}

const PLACES: Record<string, Place> = {
  'of the project': { file: 'bot/a/b/x.ts', deleted: 'bot/a' },
  'outside of the project': { file: 'lib/x.ts', deleted: 'lib', added: ['lib'] },
  'in another folder, which is deleted too': {
    file: 'lib/src/x.ts',
    deleted: 'lib',
    added: ['lib/src'],
  },
  'in another folder, which stays': {
    file: 'lib/src/x.ts',
    deleted: 'lib/src',
    added: ['lib', 'lib/src'],
  },
  'that a link leads to': {
    file: 'lib/src/x.ts',
    deleted: 'lib',
    link: ['lib', 'bot/linked'],
    reported: 'bot/linked/src/x.ts',
  },
  'of a linked file': {
    file: 'lib/x.ts',
    deleted: 'lib',
    added: ['lib'],
    link: ['lib/x.ts', 'bot/x.ts'],
  },
};

const PAUSES = ['none', 'noticed', 'reported'] as const;

describe('watchProject, of folders that are moved', () => {
  it.each(
    Object.keys(PLACES).flatMap((place) =>
      [false, true].flatMap((poll) => PAUSES.map((pause) => [place, poll, pause] as const)),
    ),
  )(
    'continues in a folder %s that is deleted and comes back twice, where files are polled: %s, and it comes back when the deletion is: %s',
    async (place, poll, pause) => {
      const { file, deleted, added = [], link, reported = file } = PLACES[place]!;
      const files = createProjectFolder({ 'bot/z.ts': 'z', [file]: 'text' });
      if (link) symlinkSync(files.path(link[0]), files.path(link[1]));
      const clock = createFakeClock();
      const seen = new Set<string>();
      using watcher = watchProject({
        root: files.path('bot'),
        poll,
        clock,
        onChange: (changed) => seen.add(path.relative(files.root, changed)),
        onError(error) {
          throw error;
        },
      });
      watcher.add(added.map((folder) => files.path(folder)));
      const isTrue = (check: () => unknown): Promise<unknown> =>
        until(async () => {
          await clock.advance(10);
          check();
        }, 1);
      const isSeen = (): Promise<unknown> => isTrue(() => expect(seen).toContain(reported));
      const pauses = {
        none: () => undefined,
        // The deleted file is checked again.
        noticed: () => isTrue(() => expect(clock.pending).toBeGreaterThan(1)),
        reported: isSeen,
      };
      for (const round of ['first', 'second']) {
        seen.clear();
        files.remove(deleted);
        await pauses[pause]();
        seen.clear();
        files.write(file, `${round} text`);
        await isSeen();
      }
      for (const text of ['longer', 'and longer']) {
        // Nothing is left to be checked again.
        await clock.advance(5_000);
        seen.clear();
        files.write(file, text);
        await isSeen();
      }
    },
  );

  it('reports every file of a folder that is moved out of the project', async () => {
    const { seen, path: pathTo } = watched({
      'lib/a.ts': 'a',
      'lib/deep/b.ts': 'b',
      'lib/deep/er/c.ts': 'c',
    });
    const outside = createProjectFolder();
    renameSync(pathTo('lib'), outside.path('lib'));
    const files = ['lib/a.ts', 'lib/deep/b.ts', 'lib/deep/er/c.ts'];
    await until(() => expect(seen.toSorted()).toEqual(files));
    seen.length = 0;
    outside.write('lib/deep/b.ts', 'longer');
    renameSync(outside.path('lib'), pathTo('lib'));
    await until(() => expect(seen.toSorted()).toEqual(files));
  });

  it('continues in a folder that takes the place of the project', async () => {
    const { seen, root, write } = watched({ 'a.ts': 'a', 'b.ts': 'b' });
    const outside = createProjectFolder();
    renameSync(root, outside.path('before'));
    write('a.ts', 'longer');
    await until(() => expect(new Set(seen)).toEqual(new Set(['a.ts', 'b.ts'])));
    seen.length = 0;
    write('a.ts', 'and longer');
    await until(() => expect(seen).toEqual(['a.ts']));
  });

  it('continues with a project that was renamed, when it has its name again', async () => {
    const { seen, root, write } = watched({ 'a.ts': 'a', 'deep/b.ts': 'b' });
    const outside = createProjectFolder();
    renameSync(root, outside.path('away'));
    await until(() => expect(new Set(seen)).toEqual(new Set(['a.ts', 'deep/b.ts'])));
    seen.length = 0;
    renameSync(outside.path('away'), root);
    await until(() => expect(new Set(seen)).toEqual(new Set(['a.ts', 'deep/b.ts'])));
    seen.length = 0;
    write('deep/b.ts', 'longer');
    await until(() => expect(seen).toEqual(['deep/b.ts']));
  });

  it('reports what keeps it from watching', () => {
    const { path: pathTo } = createProjectFolder();
    symlinkSync(pathTo('circle'), pathTo('circle'));
    const errors: unknown[] = [];
    using _ = watchProject({
      root: pathTo('circle'),
      onChange: () => {},
      onError: (error) => errors.push(error),
      clock: systemClock,
    });
    expect(errors).toMatchObject([{ code: 'ELOOP' }]);
  });
});
