import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dropSet, listSets, pruneSets, readSet, saveSet } from './saved-sets.js';

function emptyFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'virgule-sets-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

const command = (name: string) => ({ name, description: name, options: [] });
const SET = { applicationId: 'app', commands: [command('a')], own: ['a'] };
/** Returns 2026-11-20T10:22:07.512Z plus a number of minutes. */
const at = (minutes: number): number => Date.UTC(2026, 10, 20, 10, 22, 7, 512) + minutes * 60_000;

describe('saved sets', () => {
  it('are read back by name, by name with its ending, and by path', async () => {
    const root = emptyFolder();
    const registered = { ...command('a'), id: 'id', createdAt: 'then' };
    const name = saveSet(root, { ...SET, commands: [registered] }, at(0));
    expect(name).toBe('2026-11-20T10-22-07-512Z');
    expect(await readSet(root, name)).toEqual({ v: 1, ...SET });
    const path = join('.virgule', 'deploys', `${name}.json`);
    expect(await readSet(root, path)).toMatchObject(SET);
    expect(await readSet(root, join(root, path))).toMatchObject(SET);
  });

  it('are listed newest first, and are empty where none was kept', async () => {
    const root = emptyFolder();
    expect(listSets(root)).toEqual([]);
    for (const minutes of [1, 3, 2]) saveSet(root, SET, at(minutes));
    expect(listSets(root).map((name) => name.slice(14, 16))).toEqual(['25', '24', '23']);
  });

  it('are forgotten when they were not replaced after all', async () => {
    const root = emptyFolder();
    const name = saveSet(root, SET, at(0));
    dropSet(root, name);
    dropSet(root, name);
    expect(listSets(root)).toEqual([]);
  });

  it('are bounded: the 20 newest stay', async () => {
    const root = emptyFolder();
    for (let minutes = 0; minutes < 25; minutes += 1) saveSet(root, SET, at(minutes));
    pruneSets(root);
    const left = listSets(root);
    expect(left).toHaveLength(20);
    expect(left.at(-1)).toBe('2026-11-20T10-27-07-512Z');
    expect(readdirSync(join(root, '.virgule', 'deploys'))).toHaveLength(20);
  });

  it('are listed when a name is wrong', async () => {
    const root = emptyFolder();
    await expect(readSet(root, 'last')).rejects.toMatchObject({
      code: 'E_SAVED_SET',
      hint: 'There are none yet: each deploy saves the set that it replaces.',
    });
    saveSet(root, SET, at(0));
    saveSet(root, SET, at(5));
    await expect(readSet(root, '2026-11-20T10-22-07-513Z')).rejects.toMatchObject({
      code: 'E_SAVED_SET',
      message: 'There is no saved set "2026-11-20T10-22-07-513Z".',
      hint: 'Saved sets, newest first: 2026-11-20T10-27-07-512Z, 2026-11-20T10-22-07-512Z.',
    });
  });

  it.each([
    ['{', 'in JSON'],
    ['{"v":2}', 'v: '],
    ['{"v":1,"applicationId":"app","own":null,"commands":[{}]}', 'commands.0.name: '],
  ])('are refused when they are damaged: %s', async (text, reason) => {
    const root = emptyFolder();
    writeFileSync(join(root, 'set.json'), text);
    await expect(readSet(root, 'set.json')).rejects.toMatchObject({
      code: 'E_SAVED_SET',
      message: expect.stringContaining(reason),
    });
  });

  it('end the deploy when they cannot be kept', async () => {
    const root = emptyFolder();
    mkdirSync(join(root, '.virgule'));
    writeFileSync(join(root, '.virgule', 'deploys'), 'a file');
    expect(() => saveSet(root, SET, at(0))).toThrow(
      expect.objectContaining({
        code: 'E_DEPLOY_REFUSED',
        message: expect.stringContaining('Nothing was changed.'),
      }),
    );
  });
});
