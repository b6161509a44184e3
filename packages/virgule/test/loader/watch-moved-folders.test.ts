import { renameSync, symlinkSync } from 'node:fs';
import { systemClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { watchProject } from '../../src/loader/watch/watch-project.js';
import { continuesIn, rowsOf } from './moved-folders.js';
import { createProjectFolder } from './project-folder.js';
import { until, watched } from './watched-project.js';

describe('watchProject, of folders that are moved', () => {
  it.each(rowsOf('the system names files', 'the system names no files'))(
    'continues in a folder %s that is deleted twice and comes back %s, where %s',
    async (...row) => expect(await continuesIn(...row)).toBe(4),
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
