import { describe, expect, it } from 'vitest';
import { scan } from './scan.js';

describe('the tasks of a folder', () => {
  it.each([
    ['tasks/digest.ts', 'digest'],
    ['src/tasks/cleanUp.mts', 'clean-up'],
    ['tasks/mail/send.js', 'mail-send'],
    ['tasks/(nightly)/purge.ts', 'purge'],
    ['tasks/mail/index.ts', 'mail'],
    ['tasks/index.ts', 'index'],
  ])('reads %s as %s', (file, name) => {
    expect(scan(['commands/a.ts', file]).manifest.tasks).toEqual([{ name, file }]);
  });

  it('leaves out private files and tests', () => {
    const files = ['tasks/_lib.ts', 'tasks/_lib/x.ts', 'tasks/x.test.ts', 'tasks/README.md'];
    expect(scan(['commands/a.ts', ...files])).toMatchObject({
      manifest: { tasks: [] },
      problems: [],
    });
  });

  it('reports two files of one task', () => {
    const { manifest, problems } = scan(['commands/a.ts', 'tasks/x.ts', 'tasks/x.js']);
    expect(manifest.tasks).toEqual([{ name: 'x', file: 'tasks/x.js' }]);
    expect(problems).toMatchObject([
      { code: 'E_FILE_CONFLICT', message: expect.stringContaining('the task x') },
    ]);
  });

  it('reports folders that differ only in upper and lower case', () => {
    const { problems } = scan(['commands/a.ts', 'tasks/Mail/send.ts', 'tasks/mail/sort.ts']);
    expect(problems).toMatchObject([
      { code: 'E_FILE_CONFLICT', details: { paths: ['tasks/Mail', 'tasks/mail'] } },
    ]);
  });
});
