import { VirguleError } from '@virgule/core/errors';
import type { Project } from '@virgule/runtime/project';
import { describe, expect, it } from 'vitest';
import type { Loader } from '../../loader/create-loader.js';
import type { ProjectReader } from '../../project/project-reader.js';
import { createReloader, type ReloaderOptions } from './reloader.js';

const ROOT = '/bot';
const FILES = ['/bot/commands/a.ts'];
// Nothing here looks into it.
const PROJECT = {} as Project;
const READ = { manifest: null as never, project: PROJECT, problems: [], isNew: true };
const problem = new VirguleError({ code: 'E_X', kind: 'user', message: 'broken', hint: '' });

/** A project that was read, and whatever a test says about the next change of it. */
function start(more: {
  readonly read?: () => Promise<typeof READ>;
  readonly apply?: () => ReturnType<Loader['apply']>;
  readonly sync?: ReloaderOptions['sync'];
}) {
  const used: Project[] = [];
  const { read = async () => READ, sync = async () => null } = more;
  const { apply = async () => ({ evaluated: FILES, failures: [] }) } = more;
  const reloader = createReloader({
    root: ROOT,
    // Only what is used of them.
    loader: { apply, files: () => FILES } as unknown as Loader,
    reader: { read } as unknown as ProjectReader,
    use: (project) => used.push(project),
    sync,
  });
  return { reloader, used };
}

const failing = (error: unknown) => () => Promise.reject(error);

describe('createReloader', () => {
  it('takes a change over', async () => {
    const { reloader, used } = start({});
    expect(await reloader.reload(FILES)).toEqual({
      outcome: 'swapped',
      evaluated: 1,
      commands: null,
      problems: [],
    });
    expect(used).toEqual([PROJECT]);
  });

  it('reports why the project cannot be read, and reads it again after any change', async () => {
    const errors = [problem];
    const { reloader, used } = start({
      read: async () => {
        const error = errors.shift();
        if (error) throw error;
        return READ;
      },
    });
    expect(await reloader.reload(FILES)).toEqual({
      outcome: 'failed',
      problems: [expect.objectContaining({ code: 'E_X', message: 'broken' })],
    });
    expect(used).toEqual([]);
    expect(await reloader.reload(['/bot/notes.txt'])).toMatchObject({ outcome: 'swapped' });
    expect(used).toEqual([PROJECT]);
  });

  it.each([
    ['reading', { read: failing(new TypeError('ours')) }],
    ['loading', { apply: failing(new TypeError('ours')) }],
    ['registering', { sync: failing(new TypeError('ours')) }],
    [
      'a file',
      {
        apply: async () => ({
          evaluated: [],
          failures: [new TypeError('ours')],
        }),
      },
    ],
  ])(
    'does not report a bug of the framework in %s as a problem of the project',
    async (_, broken) => {
      const { reloader } = start(broken);
      await expect(reloader.reload(FILES)).rejects.toThrow(new TypeError('ours'));
    },
  );
});
