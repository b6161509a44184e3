import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '@virgule/core/clock';
import type { StorageDriver } from '../../src/storage/storage-driver.js';

export interface OpenedDriver {
  readonly driver: StorageDriver;
  /** Lets time pass for the expiry of entries. */
  readonly pass: (ms: number) => Promise<void>;
}

/** Declares the tests that every driver of a storage passes. Each begins with an empty storage. */
export function describeStorageDriver(
  name: string,
  open: (clock: FakeClock) => Promise<OpenedDriver>,
): void {
  describe(`the storage driver ${name}`, () => {
    let driver: StorageDriver;
    let pass: OpenedDriver['pass'];
    beforeEach(async () => {
      ({ driver, pass } = await open(createFakeClock()));
    });
    afterEach(() => driver.close());

    const keysOf = async (prefix: string, after?: string, limit = 100): Promise<string[]> =>
      (await driver.list({ prefix, after, limit })).map(({ key }) => key);

    it('returns what was written last, and nothing for other keys', async () => {
      await driver.set('a', '1', null);
      await driver.set('a', '"two"', null);
      expect([await driver.get('a'), await driver.get('b'), await driver.get('A')]).toEqual([
        '"two"',
        undefined,
        undefined,
      ]);
    });

    it.each(['', 'line\nline', '"quotes\'', '😀 é ㍿', 'x'.repeat(1024 * 1024), '%_\\ ; --'])(
      'keeps %j as it is',
      async (value) => {
        await driver.set('key', value, null);
        expect(await driver.get('key')).toBe(value);
      },
    );

    it.each(["it's", '*?[a]', '100%_', '😀', 'a:b', ' ', '{x}', '\\', 'x'.repeat(512)])(
      'takes the key %j',
      async (key) => {
        await driver.set(key, '1', null);
        expect([await driver.get(key), await keysOf(key), await keysOf('')]).toEqual([
          '1',
          [key],
          [key],
        ]);
      },
    );

    it('deletes an entry, and says whether there was one', async () => {
      await driver.set('a', '1', null);
      expect([await driver.delete('a'), await driver.delete('a'), await driver.get('a')]).toEqual([
        true,
        false,
        undefined,
      ]);
    });

    it.each<[string, string | undefined, string | undefined, string | undefined, boolean]>([
      ['creates an entry that is missing', undefined, undefined, 'new', true],
      ['does not create one that exists', 'old', undefined, 'new', false],
      ['replaces the expected one', 'old', 'old', 'new', true],
      ['does not replace another one', 'old', 'other', 'new', false],
      ['does not replace one that is missing', undefined, 'old', 'new', false],
      ['deletes the expected one', 'old', 'old', undefined, true],
      ['does not delete another one', 'old', 'other', undefined, false],
      ['finds that there is none', undefined, undefined, undefined, true],
      ['finds that there is one', 'old', undefined, undefined, false],
    ])('swap: %s', async (_what, before, from, to, swapped) => {
      if (before !== undefined) await driver.set('key', before, null);
      expect(await driver.swap('key', from, to, null)).toBe(swapped);
      expect(await driver.get('key')).toBe(swapped ? to : before);
    });

    it('lets one of many swaps of the same entry succeed', async () => {
      await driver.set('key', '0', null);
      const swaps = Array.from({ length: 20 }, (_, index) =>
        driver.swap('key', '0', `${index + 1}`, null),
      );
      expect((await Promise.all(swaps)).filter(Boolean)).toEqual([true]);
    });

    it('forgets an entry at its expiry, and not before', async () => {
      await driver.set('a', '1', 1_000);
      await pass(900);
      expect(await driver.get('a')).toBe('1');
      await pass(200);
      expect([await driver.get('a'), await keysOf(''), await driver.delete('a')]).toEqual([
        undefined,
        [],
        false,
      ]);
      expect(await driver.swap('a', '1', '2', null)).toBe(false);
      expect(await driver.swap('a', undefined, '3', null)).toBe(true);
      await pass(10_000);
      expect(await driver.get('a')).toBe('3');
    });

    it('lists how long entries are kept', async () => {
      await driver.set('a', '1', 60_000);
      await pass(20_000);
      const [entry] = await driver.list({ prefix: 'a', limit: 1 });
      expect(entry?.expiresInMs).toBeGreaterThan(39_000);
      expect(entry?.expiresInMs).toBeLessThanOrEqual(40_000);
    });

    it('ends or keeps an expiry with a write, as asked for', async () => {
      for (const key of ['set', 'keep', 'none', 'new']) await driver.set(key, '1', 1_000);
      await driver.set('set', '2', null);
      await driver.swap('keep', '1', '2', 'keep');
      await driver.swap('none', '1', '2', null);
      await driver.swap('new', '1', '2', 5_000);
      await driver.swap('fresh', undefined, '2', 'keep');
      await pass(1_200);
      expect(await keysOf('')).toEqual(['fresh', 'new', 'none', 'set']);
      await pass(5_000);
      expect(await keysOf('')).toEqual(['fresh', 'none', 'set']);
    });

    it('lists a prefix in the order of its keys, by pages', async () => {
      const keys = ['a', 'b:', 'b:1', 'b:10', 'b:2', 'b:\uFFFD', 'b:😀', 'b;', 'c'];
      for (const key of [...keys].toReversed()) await driver.set(key, `"${key}"`, null);
      expect(await keysOf('')).toEqual(keys);
      expect(await driver.list({ prefix: 'b:1', limit: 10 })).toEqual([
        { key: 'b:1', value: '"b:1"', expiresInMs: null },
        { key: 'b:10', value: '"b:10"', expiresInMs: null },
      ]);
      expect(await keysOf('b:', undefined, 2)).toEqual(['b:', 'b:1']);
      expect(await keysOf('b:', 'b:1', 2)).toEqual(['b:10', 'b:2']);
      expect(await keysOf('b:', 'b:2')).toEqual(['b:\uFFFD', 'b:😀']);
      expect(await keysOf('b:', 'b:15')).toEqual(['b:2', 'b:\uFFFD', 'b:😀']);
      expect(await keysOf('b:', 'c')).toEqual([]);
      expect(await keysOf('b:', 'a')).toEqual(keys.slice(1, 7));
      expect(await keysOf('zz')).toEqual([]);
    });

    it('leaves expired entries out of a page, and fills it', async () => {
      for (let index = 0; index < 30; index += 1) {
        await driver.set(`k${String(index).padStart(2, '0')}`, '1', index % 3 === 0 ? null : 100);
      }
      await pass(200);
      expect(await keysOf('k', undefined, 4)).toEqual(['k00', 'k03', 'k06', 'k09']);
    });

    it('keeps 3,000 entries, with others that expired between', async () => {
      for (let index = 0; index < 3_000; index += 1)
        await driver.set(`n${index}`, `${index}`, index % 2 ? 50 : null);
      await pass(100);
      for (let index = 0; index < 1_500; index += 1) await driver.set(`m${index}`, '1', null);
      expect((await keysOf('n', undefined, 1_600)).length).toBe(1_500);
      expect(await driver.get('n2998')).toBe('2998');
    });
  });
}
