import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMemoryDriver, memory } from './memory-storage.js';
import { createStorage } from './storage.js';
import { StorageConnection } from './storage-connection.js';
import type { StorageDriver } from './storage-driver.js';

function open(change: (driver: StorageDriver) => Partial<StorageDriver> = () => ({})) {
  const clock = createFakeClock();
  let opened = 0;
  const setting = {
    name: 'x.db',
    async open() {
      opened += 1;
      const driver = createMemoryDriver(() => clock.now());
      return { ...driver, ...change(driver) };
    },
  };
  const connection = new StorageConnection(setting, { clock, log: silentLog, root: '' });
  return { clock, connection, storage: createStorage(connection), opened: () => opened };
}

const error = (code: string, details?: object) =>
  expect.objectContaining({ code, ...(details && { details: expect.objectContaining(details) }) });

describe('Storage', () => {
  it('is opened at the first use, once', async () => {
    const { storage, opened, connection } = open();
    storage.forServer('s');
    expect(opened()).toBe(0);
    await Promise.all([storage.set('a', 1), storage.get('a'), storage.list()]);
    expect(opened()).toBe(1);
    await connection.close();
  });

  it('is not opened to be closed', async () => {
    const { connection, opened } = open();
    await connection.close();
    expect(opened()).toBe(0);
  });

  it.each([null, 0, -1.5, 'text', '', true, [], {}, { a: [{ b: null }] }, [1, [2]], '😀'])(
    'returns %j as it was stored',
    async (value) => {
      const { storage } = open();
      await storage.set('key', value);
      expect(await storage.get('key')).toEqual(value);
    },
  );

  it('leaves out keys whose value is undefined', async () => {
    const { storage } = open();
    await storage.set('key', { a: 1, b: undefined });
    expect(await storage.get('key')).toEqual({ a: 1 });
  });

  const circle: { self?: unknown } = {};
  circle.self = circle;
  it.each<[unknown, string, string]>([
    [undefined, '', 'nothing'],
    [NaN, '', 'NaN'],
    [{ a: [1, Infinity] }, 'a.1', 'Infinity'],
    [{ at: new Date(0) }, 'at', 'a Date'],
    [[new Map()], '0', 'a Map'],
    [{ big: 1n }, 'big', 'a bigint'],
    [{ f: () => 1 }, 'f', 'a function'],
    [[undefined], '0', 'nothing'],
    [{ toJSON: () => 1 }, '', 'an object with toJSON()'],
  ])('refuses %o, and names the part', async (value, path, saw) => {
    const { storage } = open();
    await expect(storage.set('key', value as never)).rejects.toEqual(
      error('E_STORAGE_VALUE', { key: 'key', path, saw }),
    );
    await expect(
      storage.update('key', () => (value === undefined ? [undefined] : value) as never),
    ).rejects.toEqual(error('E_STORAGE_VALUE'));
    expect(await storage.get('key')).toBeUndefined();
  });

  it('refuses a value that refers to itself, and one of more than 1 MiB', async () => {
    const { storage } = open();
    await expect(storage.set('key', circle as never)).rejects.toEqual(error('E_STORAGE_VALUE'));
    await expect(storage.set('key', 'é'.repeat(600_000))).rejects.toEqual(
      error('E_STORAGE_VALUE', { saw: 'more than 1 MiB of JSON: 1200002 bytes' }),
    );
    await storage.set('key', 'x'.repeat(1_048_574));
  });

  it.each([undefined, 7, '', 'a\nb', 'a\0b', '\uD800', 'x\uDC00y', 'x'.repeat(513)])(
    'refuses the key %j',
    async (key) => {
      const { storage } = open();
      await expect(storage.get(key as string)).rejects.toEqual(error('E_STORAGE_VALUE'));
      await expect(storage.set(key as string, 1)).rejects.toEqual(error('E_STORAGE_VALUE'));
      expect(() => storage.namespace(key as string)).toThrow(error('E_STORAGE_VALUE'));
    },
  );

  it('yields all entries of a part, more than a page of them', async () => {
    const { storage } = open();
    const server = storage.forServer('s');
    for (let n = 0; n < 1_001; n += 1) await server.set(`k${n}`, n);
    await storage.set('other', -1);
    const values: number[] = [];
    for await (const { key, value } of server.entries('k', { schema: z.int() }))
      if (key === `k${value}`) values.push(value);
    expect(new Set(values).size).toBe(1_001);
  });

  describe('entry', () => {
    const schema = z.object({
      language: z.enum(['en', 'de']).default('en'),
      limit: z.int().optional(),
    });

    it('has defaults, and keeps the fields that are not changed', async () => {
      const { storage, clock } = open();
      const settings = storage.forServer('s').entry('settings', schema);
      expect(await settings.get()).toEqual({ language: 'en' });
      expect(await settings.patch({ limit: 3 })).toEqual({ language: 'en', limit: 3 });
      const both = Promise.all([settings.patch({ language: 'de' }), settings.patch({ limit: 5 })]);
      await clock.advance(100);
      await both;
      expect(await settings.get()).toEqual({ language: 'de', limit: 5 });
      expect(await settings.patch({ language: undefined })).toEqual({ language: 'en', limit: 5 });
      expect([await settings.delete(), await settings.get()]).toEqual([true, { language: 'en' }]);
    });

    it('refuses a field that does not match the schema, and keeps what is stored', async () => {
      const { storage } = open();
      const settings = storage.entry('settings', schema);
      await settings.patch({ limit: 3 });
      await expect(settings.patch({ limit: 1.5 })).rejects.toEqual(
        error('E_STORAGE_SCHEMA', { at: 'limit', isNew: true }),
      );
      expect(await storage.get('settings')).toEqual({ limit: 3 });
    });

    it('upgrades a value of an earlier schema, and never loses one that it cannot upgrade', async () => {
      const { storage } = open();
      const old = { lang: 'de', limit: 3 };
      await storage.set('settings', old);
      await storage.set('odd', { language: 'xx' });
      await expect(storage.entry('odd', schema).get()).rejects.toEqual(error('E_STORAGE_SCHEMA'));
      await expect(storage.entry('odd', schema).patch({ limit: 1 })).rejects.toEqual(
        error('E_STORAGE_SCHEMA', { at: 'language', isNew: false }),
      );
      expect(await storage.get('odd')).toEqual({ language: 'xx' });
      const upgrade = (stored: unknown): unknown => {
        const { lang, ...others } = stored as typeof old;
        return { language: lang, ...others };
      };
      const settings = storage.entry('settings', schema.strict(), { upgrade });
      expect(await settings.get()).toEqual({ language: 'de', limit: 3 });
      expect(await storage.get('settings')).toEqual(old);
      await settings.patch({ limit: 4 });
      expect(await storage.get('settings')).toEqual({ language: 'de', limit: 4 });
    });

    it('upgrades a value with fields that the schema does not have, once', async () => {
      const { storage } = open();
      await storage.set('settings', { lang: 'de', limit: 3 });
      const upgrade = (stored: unknown): unknown => {
        const old = stored as { lang: string };
        return { ...old, language: old.lang };
      };
      const settings = storage.entry('settings', schema, { upgrade });
      expect(await settings.get()).toEqual({ language: 'de', limit: 3 });
      await settings.patch({ language: 'en' });
      // The old field would overwrite the new one at the next read.
      expect(await storage.get('settings')).toEqual({ language: 'en', limit: 3 });
      expect(await settings.get()).toEqual({ language: 'en', limit: 3 });
    });
  });

  it('counts the namespaces with the length of a key', async () => {
    const { storage } = open();
    const inside = storage.namespace('x'.repeat(500));
    await inside.set('y'.repeat(11), 1);
    await expect(inside.set('y'.repeat(12), 1)).rejects.toEqual(error('E_STORAGE_VALUE'));
  });

  it('divides its keys into namespaces', async () => {
    const { storage } = open();
    const ada = storage.forServer('ada').forCommand('poll');
    await ada.set('open', 1);
    await storage.forServer('bob').set('open', 2);
    await storage.set('open', 3);
    expect(await ada.list()).toEqual([{ key: 'open', value: 1 }]);
    expect(await ada.list('op', { after: 'a' })).toEqual([{ key: 'open', value: 1 }]);
    expect((await storage.list()).map(({ key }) => key)).toEqual([
      'open',
      'server:ada:command:poll:open',
      'server:bob:open',
    ]);
    expect([await ada.delete('open'), await storage.get('open')]).toEqual([true, 3]);
  });

  it('lists 100 entries by default, and 1,000 at most', async () => {
    const { storage } = open();
    for (let index = 0; index < 1_100; index += 1) await storage.set(`k${index}`, index);
    const sizes = [undefined, 0, 7.9, 5_000, Number.NaN].map(
      async (limit) => (await storage.list('k', { limit })).length,
    );
    expect(await Promise.all(sizes)).toEqual([100, 1, 7, 1_000, 1]);
  });

  it('checks what it reads with a schema, and names what does not match', async () => {
    const { storage } = open();
    const schema = z.object({ votes: z.int(), by: z.string().default('anyone') });
    await storage.set('a', { votes: 3 });
    await storage.set('b', { votes: 'three' });
    expect(await storage.get('a', schema)).toEqual({ votes: 3, by: 'anyone' });
    expect(await storage.get('none', schema)).toBeUndefined();
    const fault = error('E_STORAGE_SCHEMA', { key: 'b', at: 'votes' });
    await expect(storage.get('b', schema)).rejects.toEqual(fault);
    await expect(storage.list('b', { schema })).rejects.toEqual(fault);
    await expect(storage.update('b', (current) => current, { schema })).rejects.toEqual(fault);
  });

  it('forgets an entry after its ttl; an update keeps it unless it has its own', async () => {
    const { storage, clock } = open();
    await storage.set('a', 1, { ttl: '10s' });
    await storage.set('b', 1, { ttl: '10s' });
    await clock.advance(6_000);
    await storage.update<number>('a', (n = 0) => n + 1);
    await storage.update<number>('b', (n = 0) => n + 1, { ttl: '10s' });
    await clock.advance(5_000);
    expect([await storage.get('a'), await storage.get('b')]).toEqual([undefined, 2]);
    const schema = z.object({});
    for (const wrong of [
      () => storage.set('a', 1, { tll: '1s' } as never),
      () => storage.update('a', () => 1, { tll: '1s' } as never),
      () => storage.list('', { limti: 1 } as never),
      () =>
        storage
          .entries('', { shcema: schema } as never)
          [Symbol.asyncIterator]()
          .next(),
      async () => storage.entry('a', schema, { upgrad: () => 1 } as never),
      () => storage.view(schema, { upgrad: () => 1 } as never),
    ])
      await expect(wrong()).rejects.toEqual(error('E_UNKNOWN_KEY'));
    await expect(storage.set('a', 1, { ttl: 'soon' as never })).rejects.toEqual(
      error('E_DURATION'),
    );
  });

  it('loses no update of 200 that are made together', async () => {
    const { storage, clock } = open();
    const all = Promise.all(
      Array.from({ length: 200 }, () => storage.update<number>('n', async (n = 0) => n + 1)),
    );
    let isDone = false;
    void all.then(() => (isDone = true));
    while (!isDone) await clock.advance(1);
    expect(await storage.get('n')).toBe(200);
    expect(new Set(await all).size).toBe(200);
  });

  it('deletes an entry whose update returns undefined', async () => {
    const { storage } = open();
    await storage.set('n', 1);
    expect(await storage.update('n', () => undefined)).toBeUndefined();
    expect(await storage.list()).toEqual([]);
  });

  it('ends an update when others change the entry for 10 s', async () => {
    const { storage, clock } = open(() => ({ swap: async () => false }));
    const update = storage.update<number>('n', (n = 0) => n + 1);
    const [result] = await Promise.all([
      update.catch((thrown: unknown) => thrown),
      clock.advance(11_000),
    ]);
    expect(result).toEqual(error('E_STORAGE_CONFLICT', { key: 'n' }));
  });

  it('reports a failure with its cause, and opens again at the next use', async () => {
    const clock = createFakeClock();
    let isBroken = true;
    const setting = {
      name: 'x.db',
      open: (options: Parameters<ReturnType<typeof memory>['open']>[0]) =>
        isBroken ? Promise.reject(new Error('EACCES')) : memory().open(options),
    };
    const connection = new StorageConnection(setting, { clock, log: silentLog, root: '' });
    const storage = createStorage(connection);
    await expect(storage.get('a')).rejects.toEqual(
      error('E_STORAGE_FAILED', { name: 'x.db', reason: 'EACCES' }),
    );
    isBroken = false;
    await storage.set('a', 1);
    expect(await storage.get('a')).toBe(1);
    await connection.close();
    await expect(storage.get('a')).rejects.toEqual(
      error('E_STORAGE_FAILED', { reason: 'the bot has ended' }),
    );
  });
});
