// Deletes and replaces the file of a storage while several processes have it open.
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storageProcesses, type StorageProcess } from '../storage-process.js';

async function open() {
  const root = mkdtempSync(join(tmpdir(), 'virgule-replaced-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const start = await storageProcesses(root);
  const file = join(root, '.virgule', 'storage.db');
  return { root, file, start };
}

/** Writes entries, and returns their keys. */
async function write(to: StorageProcess, name: string, count = 10): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, index) => `${name}${index}`);
  for (const key of keys) await to.call('set', key, '1', null);
  return keys;
}

async function keysOf(process: StorageProcess): Promise<string[]> {
  const entries = await process.call('list', { prefix: '', limit: 1_000 });
  return (entries as { readonly key: string }[]).map(({ key }) => key);
}

describe('the file of a storage that several processes have open', () => {
  it.each(['deleted', 'replaced', 'deleted with its folder'])(
    'loses no write that was acknowledged after it was %s',
    async (how) => {
      const { root, file, start } = await open();
      const [one, other] = [await start(), await start()];
      await write(one, 'old', 300);
      if (how === 'replaced') {
        const backup = await (await storageProcesses(join(root, 'backup')))();
        // The first write creates the file.
        const [key] = await write(backup, 'backup', 1);
        await backup.call('delete', key);
        await backup.end();
        copyFileSync(join(root, 'backup', '.virgule', 'storage.db'), join(root, 'copy.db'));
        renameSync(join(root, 'copy.db'), file);
      } else if (how === 'deleted') rmSync(file);
      else rmSync(join(root, '.virgule'), { recursive: true });
      await one.pass();
      const written = await write(one, 'one');
      await other.pass();
      written.push(...(await write(other, 'other')));
      written.push(...(await write(one, 'again')));
      expect([await keysOf(one), await keysOf(other)]).toEqual([
        written.toSorted(),
        written.toSorted(),
      ]);
      await one.end();
      await other.end();
      expect(await keysOf(await start())).toEqual(written.toSorted());
    },
  );

  it('keeps what is imported while a bot has the deleted file open', async () => {
    const { file, start } = await open();
    const bot = await start();
    await write(bot, 'old', 300);
    rmSync(file);
    const importer = await start();
    const written = await write(importer, 'imported', 3);
    await importer.end();
    await bot.pass();
    expect(await keysOf(bot)).toEqual(written);
    written.push(...(await write(bot, 'later')));
    await bot.end();
    expect(await keysOf(await start())).toEqual(written);
  });

  it('is shared by a process that started later and one that had the deleted file open', async () => {
    const { file, start } = await open();
    const bot = await start();
    await write(bot, 'old', 300);
    rmSync(file);
    const other = await start();
    const written = await write(other, 'a');
    await bot.pass();
    written.push(...(await write(bot, 'b')), ...(await write(other, 'c')));
    expect([await keysOf(bot), await keysOf(other)]).toEqual([written, written]);
    await bot.end();
    await other.end();
    expect(await keysOf(await start())).toEqual(written);
  });
});
