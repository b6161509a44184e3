import { createFakeClock } from '@virgule/core/clock';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createRecordedLog } from '../../test/recorded-log.js';
import { createMemoryDriver } from './memory-storage.js';
import { createStorage } from './storage.js';
import { StorageConnection } from './storage-connection.js';

const schema = z.object({ language: z.enum(['en', 'de']).default('en') });
const de = { language: 'de' };
const error = (code: string) => expect.objectContaining({ code });

/** A storage with the driver that another process uses too. */
async function openView() {
  const clock = createFakeClock();
  const log = createRecordedLog();
  const driver = createMemoryDriver(() => clock.now());
  const state = { isAway: false, lists: 0, held: Promise.resolve() };
  const connection = new StorageConnection(
    {
      name: 'x.db',
      open: async () => ({
        ...driver,
        async list(request) {
          state.lists += 1;
          if (state.isAway) throw new Error('no answer');
          const found = await driver.list(request);
          await state.held;
          return found;
        },
      }),
    },
    { clock, log, root: '' },
  );
  const storage = createStorage(connection);
  const part = storage.namespace('settings');
  await part.set('old', de);
  const view = await part.view(schema);
  return { clock, log, connection, storage, driver, part, view, state };
}

it('has the entries of the storage, the defaults, and at once the writes of this process', async () => {
  const { view, part, storage, state } = await openView();
  expect([view('old'), view('new')]).toEqual([de, { language: 'en' }]);
  await part.entry('new', schema).patch({ language: 'de' });
  await storage.delete('settings:old');
  expect([view('old'), view('new')]).toEqual([{ language: 'en' }, de]);
  await storage.namespace('settings').view(schema);
  expect(state.lists).toBe(1);
  expect(() => view('')).toThrow(error('E_STORAGE_VALUE'));
});

it('has the writes of other processes within five seconds, and no more after the end', async () => {
  const { view, driver, clock, connection, state } = await openView();
  await driver.set('settings:new', JSON.stringify(de), 2_000);
  await driver.delete('settings:old');
  expect([view('old'), view('new')]).toEqual([de, { language: 'en' }]);
  await clock.advance(5_000);
  // The entry has expired in the meantime.
  expect([view('old'), view('new')]).toEqual([{ language: 'en' }, { language: 'en' }]);
  await driver.set('settings:new', JSON.stringify(de), null);
  await clock.advance(5_000);
  expect(view('new')).toEqual(de);
  await connection.close();
  const { lists } = state;
  await clock.advance(60_000);
  expect([state.lists, clock.pending]).toEqual([lists, 0]);
});

it('keeps a write that ends while the entries are read', async () => {
  const { view, part, clock, state } = await openView();
  let end: () => void = () => {};
  state.held = new Promise((resolve) => (end = resolve));
  await clock.advance(5_000);
  await part.set('new', de);
  end();
  await clock.advance(0);
  expect(view('new')).toEqual(de);
});

it('keeps the last entries while the storage fails, and logs that once', async () => {
  const { view, clock, state, log, storage } = await openView();
  state.isAway = true;
  await expect(storage.namespace('other').view(schema)).rejects.toEqual(error('E_STORAGE_FAILED'));
  await clock.advance(20_000);
  expect(view('old')).toEqual(de);
  expect(log.at('warn')).toEqual(['a view of the storage is out of date']);
  state.isAway = false;
  await clock.advance(5_000);
  expect(await storage.namespace('other').view(schema)).toBeTypeOf('function');
});

it('throws for an entry that does not match the schema, and upgrades it', async () => {
  const { part } = await openView();
  await part.set('odd', { language: 'xx' });
  const view = await part.view(schema);
  expect(() => view('odd')).toThrow(error('E_STORAGE_SCHEMA'));
  expect((await part.view(schema, { upgrade: () => de }))('odd')).toEqual(de);
});
