import { renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '@virgule/core/clock';
import { describe, expect, it, vi } from 'vitest';
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

/** Watchers of systems that name the files that change, that do not, and of disks that report no changes. */
const SYSTEMS: Record<string, { readonly platform: NodeJS.Platform; readonly poll: boolean }> = {
  'the system names files': { platform: 'linux', poll: false },
  'the system names no files': { platform: 'darwin', poll: false },
  'files are polled': { platform: 'linux', poll: true },
};

describe('watchProject, of folders that are moved', () => {
  it.each(
    Object.keys(PLACES).flatMap((place) => Object.keys(SYSTEMS).map((system) => [place, system])),
  )('continues in a folder %s that is deleted and comes back, where %s', async (place, system) => {
    const { file, deleted, added = [], link, reported = file } = PLACES[place]!;
    const { platform, poll } = SYSTEMS[system]!;

    /** Deletes and writes the folder, twice, and a file in it afterwards. */
    async function replace(pause: 'none' | 'noticed' | 'reported'): Promise<void> {
      const files = createProjectFolder({ 'bot/z.ts': 'z', [file]: 'text' });
      if (link) symlinkSync(files.path(link[0]), files.path(link[1]));
      const seen = new Set<string>();
      const setTimeout = vi.fn(systemClock.setTimeout.bind(systemClock));
      vi.stubGlobal('process', Object.create(process, { platform: { value: platform } }));
      using watcher = watchProject({
        root: files.path('bot'),
        poll,
        clock: { ...systemClock, monotonic: () => systemClock.monotonic(), setTimeout },
        onChange: (changed) => seen.add(path.relative(files.root, changed)),
        onError(error) {
          throw error;
        },
      });
      vi.unstubAllGlobals();
      watcher.add(added.map((folder) => files.path(folder)));
      const isSeen = (): Promise<unknown> =>
        until(() => expect(seen, `returned when: ${pause}`).toContain(reported));
      const pauses = {
        none: () => undefined,
        noticed: () => until(() => expect(setTimeout).toBeCalled(), 1),
        reported: isSeen,
      };
      for (const round of ['first', 'second']) {
        setTimeout.mockClear();
        seen.clear();
        files.remove(deleted);
        await pauses[pause]();
        seen.clear();
        files.write(file, `${round} text`);
        await isSeen();
        seen.clear();
        files.write(file, `${round} text, and longer`);
        await isSeen();
      }
    }
    await Promise.all([replace('none'), replace('noticed'), replace('reported')]);
  });

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
