import { importSqlite } from '@virgule/runtime/project';
import { memory } from '@virgule/runtime';
import { describe, expect, it } from 'vitest';
import { missingSqlite } from './missing-sqlite.js';

const TASKS = { tasks: [{ name: 'digest', file: 'tasks/digest.ts' }] };

const without = (): Promise<unknown> =>
  importSqlite('20.19.0', () => {
    const error = new Error("Cannot find package 'libsql'");
    return Promise.reject(Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' }));
  });

describe('missingSqlite', () => {
  it('names the task that needs it, and what to do', async () => {
    const [problem] = await missingSqlite(TASKS, {}, without);
    expect(problem).toMatchObject({
      code: 'E_STORAGE_DRIVER',
      hint: expect.stringContaining('npm install libsql'),
      location: { file: 'tasks/digest.ts' },
    });
    expect(problem?.cause).toBeUndefined();
  });

  it.each([
    ['a bot without tasks', { tasks: [] }, {}, without],
    ['a bot with a storage of its own', TASKS, { storage: memory() }, without],
    ['a Node.js with SQLite', TASKS, {}, async () => {}],
  ])('reports nothing of %s', async (_, manifest, config, open) => {
    expect(await missingSqlite(manifest, config, open)).toEqual([]);
  });

  it('throws what is no problem of the bot', async () => {
    const odd = (): Promise<unknown> => Promise.reject(new Error('odd'));
    await expect(missingSqlite(TASKS, {}, odd)).rejects.toThrow('odd');
  });
});
