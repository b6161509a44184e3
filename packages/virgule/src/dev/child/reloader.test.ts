import { VirguleError } from '@virgule/core/errors';
import type { Command, SyncCommandItem } from '@virgule/core/protocol';
import type { Project } from '@virgule/runtime/project';
import { describe, expect, it } from 'vitest';
import type { Loader } from '../../loader/create-loader.js';
import { createCommandSync, createReloader, type ReloaderOptions } from './reloader.js';

const ROOT = '/bot';
const FILES = ['/bot/commands/a.ts'];
// Nothing here looks into it.
const PROJECT = {} as Project;
const READ = {
  manifest: null as never,
  project: PROJECT,
  problems: [],
  createServices: null,
  isNew: true,
};
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
  const reload = createReloader({
    root: ROOT,
    loader: { apply },
    reader: { read },
    use: (project) => used.push(project),
    sync,
  });
  return { reload, used };
}

const failing = (error: unknown) => () => Promise.reject(error);

describe('createReloader', () => {
  it('takes a change over', async () => {
    const { reload, used } = start({});
    expect(await reload(FILES)).toEqual({
      isNew: true,
      evaluated: 1,
      commands: null,
      problems: [],
    });
    expect(used).toEqual([PROJECT]);
  });

  it('reports why the project cannot be read, and reads it again after any change', async () => {
    const errors = [problem];
    const { reload, used } = start({
      read: async () => {
        const error = errors.shift();
        if (error) throw error;
        return READ;
      },
    });
    expect(await reload(FILES)).toEqual({
      isNew: false,
      evaluated: 0,
      commands: null,
      problems: [expect.objectContaining({ code: 'E_X', message: 'broken' })],
    });
    expect(used).toEqual([]);
    expect(await reload(['/bot/notes.txt'])).toMatchObject({ isNew: true });
    expect(used).toEqual([PROJECT]);
  });

  it('registers at the next save, whatever it is, what the platform refused', async () => {
    const answers = [failing(problem), async () => ({ added: ['a'], changed: [], removed: [] })];
    const { reload } = start({ sync: async () => answers.shift()?.() ?? null });
    expect(await reload(FILES)).toMatchObject({
      commands: null,
      problems: [{ code: 'E_X' }],
    });
    const next = await reload(['/bot/notes.txt']);
    expect(next).toMatchObject({ commands: { added: ['a'] }, problems: [] });
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
      const { reload } = start(broken);
      await expect(reload(FILES)).rejects.toThrow(new TypeError('ours'));
    },
  );
});

const item: SyncCommandItem = { name: 'hello', description: 'Greet', options: [] };
const project = {
  commands: new Map([['hello', { name: 'hello', aliases: [], wire: item }]]),
} as unknown as Project;

describe('createCommandSync', () => {
  it('allows each call of a sync five seconds', async () => {
    const limits: (number | undefined)[] = [];
    let registered: readonly Command[] = [];
    const sync = createCommandSync({
      async list(call) {
        limits.push(call?.deadlineMs);
        return registered;
      },
      async replace(items, call) {
        limits.push(call?.deadlineMs);
        registered = items.map((each) => ({
          ...each,
          id: '1',
          createdAt: '2026-01-01T00:00:00Z',
        }));
      },
    });
    expect(await sync.sync(project)).toEqual({ added: ['hello'], changed: [], removed: [] });
    expect(limits).toEqual([5_000, 5_000, 5_000, 5_000]);
    expect(await sync.sync(project)).toBeNull();
    await sync.plan(project);
    expect(limits.slice(4)).toEqual([5_000]);
  });
});
