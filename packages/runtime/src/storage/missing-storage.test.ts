import { describe, expect, it } from 'vitest';
import { importSqlite } from './import-sqlite.js';
import { memory } from './memory-storage.js';
import { missingStorage } from './missing-storage.js';

const TASKS = { tasks: [{ name: 'digest', file: 'tasks/digest.ts' }] };

const settingOf = (check: () => Promise<unknown>) => ({ ...memory(), check });
const noLibsql = () => {
  const error = new Error("Cannot find package 'libsql'");
  return Promise.reject(Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' }));
};
const without = settingOf(() => importSqlite(noLibsql, () => undefined));

describe('missingStorage', () => {
  it('names the task that needs it, and what to do', async () => {
    const [problem] = await missingStorage(TASKS, {}, without);
    expect(problem).toMatchObject({
      code: 'E_STORAGE_DRIVER',
      hint: 'Run `npm install libsql`, or use Node.js 22.13 or newer.',
      location: { file: 'tasks/digest.ts' },
    });
    expect(problem?.cause).toBeUndefined();
  });

  it.each([
    ['a bot without tasks', { tasks: [] }, {}, without],
    ['a bot with a storage of its own', TASKS, { storage: memory() }, without],
    ['a Node.js with SQLite', TASKS, {}, settingOf(async () => {})],
    ['a scaled bot', TASKS, { scale: { open: () => Promise.reject(new Error()) } }, without],
  ])('reports nothing of %s', async (_, manifest, config, fallback) => {
    expect(await missingStorage(manifest, config, fallback)).toEqual([]);
  });

  it.each([
    ['a storage of the configuration', { storage: without }],
    ['cooldowns that are stored', { cooldowns: 'storage' as const }],
  ])('reports what %s lacks', async (_, config) => {
    expect(await missingStorage({ tasks: [] }, config, without)).toMatchObject([
      { code: 'E_STORAGE_DRIVER', location: undefined },
    ]);
  });

  it('throws what is no problem of the bot', async () => {
    const odd = settingOf(() => Promise.reject(new Error('odd')));
    await expect(missingStorage(TASKS, {}, odd)).rejects.toThrow('odd');
  });
});
