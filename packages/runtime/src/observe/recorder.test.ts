import { createFakeClock, turn } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createFakeRest } from '../../test/fake-rest.js';
import { createRecordedLog, type RecordedLog } from '../../test/recorded-log.js';
import { createTestEnvironment } from '../../test/test-environment.js';
import { requireAuthor } from '../command/define/require-author.js';
import { wrapEvent } from '../load/read-event.js';
import { memory } from '../storage/memory-storage.js';
import type { StorageSetting } from '../storage/storage-driver.js';
import { StorageConnection } from '../storage/storage-connection.js';
import { createStorage } from '../storage/storage.js';
import type { FailedRecord } from './record.js';
import { dropRecord, Recorder, RECORD_PREFIX, type FailedSetting } from './recorder.js';
import { createShaper } from './shape.js';

function open(
  setting: FailedSetting = {},
  storage: StorageSetting = memory(),
  handler: object = { settings: 'known a' },
) {
  const clock = createFakeClock();
  const connection = new StorageConnection(storage, { clock, log: silentLog, root: '.' });
  const log = createRecordedLog();
  const recorder = new Recorder(setting, connection, log);
  const reported: unknown[] = [];
  const rest = createFakeRest();
  const env = createTestEnvironment({
    clock,
    rest: rest.rest,
    redact: (text) => text.replaceAll('4711', '[redacted]'),
    onError: (error) => void reported.push(error),
  });
  function start(rawInput: string) {
    const d = { channelId: 'c', rawInput };
    const work = { kind: 'command', name: '/a', t: 'APPLICATION_COMMAND', d } as const;
    return recorder.open(env, { ...work, receivedAtMs: 0, handler });
  }
  function fail(rawInput: string, error: unknown = new Error('no luck')): void {
    const run = start(rawInput);
    run.onError(error, '/a');
    run.endRecord?.();
  }
  async function records(): Promise<readonly FailedRecord[]> {
    await env.activity.idle();
    const found = await createStorage(connection).list<FailedRecord>(RECORD_PREFIX);
    return found.map(({ value }) => value);
  }
  return { clock, connection, env, log, rest, recorder, reported, start, fail, records };
}

describe('Recorder', () => {
  it('keeps the newest records of 10,000 failures, and deletes them after their time', async () => {
    const { clock, fail, records } = open({ text: 'keep' });
    for (let index = 1; index <= 10_000; index += 1) fail(`/a ${index}`);
    const lines = (await records()).map(({ frames }) => Object(frames[0]?.d).rawInput as string);
    expect(lines).toEqual(Array.from({ length: 50 }, (_, at) => `/a ${9_951 + at}`));
    await clock.advance(8 * 86_400_000);
    expect(await records()).toEqual([]);
  });

  it('replaces the words only of records that it stores, since that takes longest', async () => {
    let read = 0;
    const handler = { toString: () => ((read += 1), 'a') };
    const { fail, records } = open(
      { keep: 2 },
      memory(),
      Object.assign(() => {}, handler),
    );
    for (let index = 1; index <= 100; index += 1) fail(`/a ${index}`);
    expect([await records(), read]).toMatchObject([[{ id: '1' }, { id: '2' }], 2]);
  });

  it('stores the other records if the words of one cannot be replaced', async () => {
    const { env, log, recorder, fail, records } = open();
    const toString = (): string => {
      throw new Error('no words');
    };
    const d = { channelId: 'c', rawInput: '/b' };
    const work = { kind: 'command', name: '/b', t: 'APPLICATION_COMMAND', d } as const;
    const handler = Object.assign(() => {}, { toString });
    recorder.open(env, { ...work, receivedAtMs: 0, handler }).onError(new Error('x'), '/b');
    fail('/a known');
    expect((await records()).map(({ id, name }) => [id, name])).toEqual([['1', '/a']]);
    expect((env.log as RecordedLog).at('warn')).toEqual(['could not record the failure of /b']);
    expect(log.at('warn')).toEqual([]);
  });

  it('leaves out another event of the channel that has a cycle', async () => {
    const { env, recorder, fail, records } = open({ text: 'keep' });
    const d: Record<string, unknown> = { channelId: 'c', rawInput: '/b' };
    const work = { kind: 'command', name: '/b', t: 'APPLICATION_COMMAND', d } as const;
    const run = recorder.open(env, { ...work, receivedAtMs: 0, handler: () => '/b' });
    d['self'] = d;
    fail('/a');
    run.onError(new Error('no luck'), '/b');
    const inputs = (await records()).map(({ frames }) => frames.map((each) => Object(each.d)));
    expect(inputs).toEqual([[{ channelId: 'c', rawInput: '/a' }]]);
    expect((env.log as RecordedLog).at('warn')).toEqual(['could not record the failure of /b']);
  });

  it('keeps an event as it was when the run failed', async () => {
    const { env, recorder, records } = open({ text: 'keep' });
    const d = { channelId: 'c', rawInput: '/a' };
    const work = { kind: 'command', name: '/a', t: 'APPLICATION_COMMAND', d } as const;
    const run = recorder.open(env, { ...work, receivedAtMs: 0, handler: () => '/a' });
    run.onError(new Error('no luck'), '/a');
    d.rawInput = 'changed';
    expect((await records())[0]?.frames).toMatchObject([{ d: { rawInput: '/a' } }]);
  });

  it('deletes the oldest records at a start with fewer records', async () => {
    const { clock, connection, fail, records } = open({ keep: 5 });
    for (let index = 1; index <= 12; index += 1) {
      fail(`/a ${index}`);
      await records();
    }
    expect((await records()).map(({ id }) => id)).toEqual(['8', '9', '10', '11', '12']);
    expect(new Recorder({ keep: 2 }, connection, silentLog)).toBeDefined();
    await clock.advance(0);
    expect((await records()).map(({ id }) => id)).toEqual(['11', '12']);
  });

  it('keeps a record while there is room, although later ones were dropped', async () => {
    const { connection, fail, records } = open({ keep: 5 });
    for (let index = 1; index <= 5; index += 1) fail(`/a ${index}`);
    for (const { id } of (await records()).slice(1))
      await dropRecord(connection, RECORD_PREFIX + id.padStart(9, '0'));
    for (let index = 6; index <= 9; index += 1) fail(`/a ${index}`);
    expect((await records()).map(({ id }) => id)).toEqual(['1', '6', '7', '8', '9']);
    fail('/a 10');
    expect((await records()).map(({ id }) => id)).toEqual(['6', '7', '8', '9', '10']);
  });

  it('warns at the start if the storage cannot be used', async () => {
    const { clock, log } = open({}, { name: 'x', open: () => Promise.reject(new Error('no')) });
    await clock.advance(0);
    expect(log.at('warn')).toEqual(['failures cannot be recorded']);
  });

  it.each([
    ['requireAuthor', { run: requireAuthor(() => 'grapes') }],
    ['a middleware of events', wrapEvent(() => 'grapes', [() => {}])],
  ])('keeps words of a handler inside %s', async (_, handler) => {
    const { fail, records } = open({}, memory(), handler);
    fail('/a grapes');
    expect((await records())[0]?.frames).toMatchObject([{ d: { rawInput: '/x grapes' } }]);
  });

  it('replaces words that a handler has stored in its `meta`', async () => {
    const { fail, records } = open({}, memory(), { run: () => '/a', meta: { last: 'grapes' } });
    fail('/a grapes');
    expect((await records())[0]?.frames).toMatchObject([{ d: { rawInput: '/a xxxxxx' } }]);
  });

  it('replaces the keys of unknown members of an event', async () => {
    const { env, recorder, records } = open();
    const d = { channelId: 'c', rawInput: '/a', nicknames: { Zoë: 1 } };
    const work = { kind: 'command', name: '/a', t: 'APPLICATION_COMMAND', d } as const;
    const run = recorder.open(env, { ...work, receivedAtMs: 0, handler: () => '/a' });
    run.onError(new Error('no luck'), '/a');
    const [record] = await records();
    expect(record?.frames[0]?.d).toEqual({ channelId: 'x', rawInput: '/a', xxxxxxxxx: { Xxx: 1 } });
  });

  it('replaces the text of a failure, except words of the code', async () => {
    const { fail, records } = open();
    fail('/a known Zoë 42', new TypeError('no Zoë'));
    const [record] = await records();
    expect(record).toMatchObject({
      reason: 'TypeError: xx Xxx',
      frames: [{ d: { rawInput: '/a known Xxx 00' } }],
    });
  });
});

describe('Recorder, with hostile values', () => {
  it('leaves the entries of a user whose keys look like its own', async () => {
    const { connection, fail, records } = open();
    const storage = createStorage(connection);
    for (const key of ['failed', 'failed:1']) await storage.set(key, { logins: 3 });
    fail('/a');
    expect(await records()).toHaveLength(1);
    for (const key of ['failed', 'failed:1']) expect(await storage.get(key)).toEqual({ logins: 3 });
  });

  it('reports a failure before it is recorded, and whatever was thrown', async () => {
    const { env, reported, fail, records } = open();
    const thrown = new Proxy(new Error('secret'), {
      get: () => {
        throw new Error('refused');
      },
    });
    fail('/a', thrown);
    fail('/a', { name: Symbol('odd') });
    await records();
    expect(reported).toHaveLength(2);
    expect(env.runs.size).toBe(0);
  });

  it('names no class of an error that JavaScript does not have', async () => {
    const { fail, records } = open();
    fail('/a', Object.assign(new Error('no luck'), { name: 'alice@corp.example' }));
    expect((await records())[0]?.reason).toBe('xxxxx@xxxx.xxxxxxx: xx xxxx');
  });

  it('removes secrets from a reason before it cuts the reason', async () => {
    const { fail, records } = open({ text: 'keep' });
    fail('/a', new Error(`${'x'.repeat(8 * 1024 - 2)}4711`));
    expect((await records())[0]?.reason).not.toContain('47');
  });

  it('removes secrets from numbers too', async () => {
    const { connection, start, records } = open({ text: 'keep' });
    await createStorage(connection).set('pin', { code: 4711, other: 12 });
    const run = start('/a');
    await run.storage.get('pin');
    run.onError(new Error('no luck'), '/a');
    expect((await records())[0]?.storage).toEqual([{ key: 'pin', value: { code: 0, other: 12 } }]);
  });

  it('marks values that are too large for the record', async () => {
    const { connection, rest, start, records } = open({ text: 'shape' });
    const storage = createStorage(connection);
    for (const length of [10_000, 1]) await storage.set(`n${length}`, 'y'.repeat(length));
    const run = start('/a');
    for (const each of ['n10000', 'n1', 'none']) await run.storage.get(each);
    const pages = [{ pad: 'y'.repeat(10_000) }, { pad: 'y' }];
    for (const each of pages) rest.once('messages.list', each);
    for (const _ of pages) await run.rest.messages.list('c');
    run.onError(new Error('no luck'), '/a');
    expect((await records())[0]).toMatchObject({
      storage: [
        { key: 'x00000', dropped: true },
        { key: 'x0', value: 'x' },
      ],
      rest: [
        { name: 'messages.list', dropped: true },
        { name: 'messages.list', value: { xxx: 'x' } },
      ],
    });
  });

  it('records a result as it was before the handler changed it', async () => {
    const { rest, start, records } = open({ text: 'keep' });
    const run = start('/a');
    rest.once('messages.list', { ids: ['a', 'b'] });
    const found = (await run.rest.messages.list('c')) as unknown as { readonly ids: string[] };
    found.ids.reverse();
    run.onError(new Error('no luck'), '/a');
    expect((await records())[0]?.rest).toMatchObject([{ value: { ids: ['a', 'b'] } }]);
  });

  it('keeps the record of a run that lists 20,000 entries', async () => {
    const { connection, start, records } = open();
    const storage = createStorage(connection);
    for (let index = 0; index < 20_000; index += 1) await storage.set(`note:${index}`, index);
    const run = start('/a');
    for await (const _ of run.storage.entries('note:'));
    run.onError(new Error('no luck'), '/a');
    const [record] = await records();
    expect(record?.storage.length).toBeGreaterThan(1_000);
    expect(record?.storage.at(-1)?.dropped).toBe(true);
    expect(JSON.stringify(record).length).toBeLessThan(256 * 1024);
  });

  it('stores records that waited while the storage failed with the next one', async () => {
    let isBroken = true;
    const { env, fail, records } = open(
      { text: 'keep' },
      {
        name: 'broken',
        async open(options) {
          const driver = await memory().open(options);
          const swap: typeof driver.swap = async (...given) => {
            if (isBroken) throw new Error('no disk');
            return driver.swap(...given);
          };
          return { ...driver, swap };
        },
      },
    );
    for (const line of ['/a 1', '/a 2']) fail(line);
    expect(await records()).toEqual([]);
    const warning = 'could not record the failure of /a';
    expect((env.log as RecordedLog).at('warn')).toEqual([warning, warning]);
    isBroken = false;
    fail('/a 3');
    const lines = (await records()).map(({ frames }) => Object(frames[0]?.d).rawInput as string);
    expect(lines).toEqual(['/a 2', '/a 3']);
  });

  it('lets other work run between two records', async () => {
    const { fail, records } = open();
    for (let index = 0; index < 20; index += 1) fail(`/a ${index}`);
    let turns = 0;
    let isDone = false;
    void (async () => {
      for (; !isDone; turns += 1) await turn();
    })();
    expect(await records()).toHaveLength(20);
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it('calls no function that a schema has as a default', async () => {
    let calls = 0;
    const schema = z.object({ n: z.int().default(() => (calls += 1)) });
    const { fail, records } = open({}, memory(), { options: schema });
    fail('/a');
    expect(await records()).toHaveLength(1);
    expect(calls).toBe(0);
  });

  it('holds back neither the end of the bot nor memory when the storage hangs', async () => {
    const never = new Promise<never>(() => {});
    const { clock, env, fail } = open({}, { name: 'hung', open: () => never });
    for (let index = 0; index < 1_000; index += 1) fail(`/a ${index}`);
    let isIdle = false;
    void env.activity.idle().then(() => (isIdle = true));
    await clock.advance(1_000);
    expect(isIdle).toBe(true);
    expect((env.log as RecordedLog).at('warn')).toEqual([
      'the failure of /a is not recorded yet: the storage is slow',
    ]);
  });
});

describe('createShaper', () => {
  it('keeps all members of an object whose keys have one shape', () => {
    const shape = createShaper(new Set(['open']), (text) => text);
    expect(shape({ openedBy: 1, openedAt: 2, open: 3, timeline: 4 })).toEqual({
      xxxxxxXx: 1,
      xxxxxxXx2: 2,
      open: 3,
      xxxxxxxx: 4,
    });
  });

  it('replaces enclosed letters, and keeps emojis', () => {
    const shape = createShaper(new Set(), (text) => text);
    expect(shape('🅰ⓑ ❤️ 2026-11-28T4111111111111111Z')).toBe('xxx ❤️ 0000-00-00X0000000000000000X');
  });

  it('replaces flags, braille, circled kana, tags, and invisible letters', () => {
    const shape = createShaper(new Set(), (text) => text);
    expect(shape('🇩🇪 ⠁⠃ ㋐ \u{e0061}\u{e0100}\u200b a\u200bb 👩‍💻 → 20 €\n')).toBe(
      'xxxx xx x xxxxx xxx 👩‍💻 → 00 €\n',
    );
  });

  it('numbers the ids that are secrets in kept text', () => {
    const ids = ['a', 'b', 'a', 'c'].map((end) => `0b8f6a52-5d0a-4f1e-9a37-3a1d2c4e5f6${end}`);
    const shape = createShaper(undefined, (text) => text.replace(/.*[ab]$/, '[redacted]'));
    const [first = '', second, third, fourth] = shape(ids);
    expect([third, fourth]).toEqual([first, ids[3]]);
    expect([first.replace(/1$/, '2'), ids.includes(first)]).toEqual([second, false]);
  });

  it('removes the signature of a URL from kept text', () => {
    const shape = createShaper(undefined, (text) => text);
    const url = 'https://files.example/a?expires=5&signature=';
    expect(shape({ url: `see "${url}0f3a&x=1"` })).toEqual({ url: `see "${url}[redacted]&x=1"` });
  });

  it('keeps the length, quotes, spaces and signs of text, and numbers ids consistently', () => {
    const shape = createShaper(new Set(['url', 'https']), (text) => text);
    const id = '0b8f6a52-5d0a-4f1e-9a37-3a1d2c4e5f60';
    const text = `url="https://Ada.example/x1.png?u=${id}"`;
    const own = '00000000-0000-4000-8000-000000000001';
    expect(shape({ [id]: text, n: 1, none: null })).toEqual({
      [own]: `url="https://Xxx.xxxxxxx/x0.xxx?x=${own}"`,
      x: 1,
      xxxx: null,
    });
  });
});
