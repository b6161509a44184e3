import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import { createTestEnvironment } from '../../test/test-environment.js';
import { memory } from '../storage/memory-storage.js';
import { StorageConnection } from '../storage/storage-connection.js';
import { createStorage } from '../storage/storage.js';
import { Recorder, type FailedRecord, type FailedSetting } from './recorder.js';
import { createShaper } from './shape.js';

function open(setting: FailedSetting = {}) {
  const clock = createFakeClock();
  const connection = new StorageConnection(memory(), { clock, log: silentLog, root: '.' });
  const recorder = new Recorder(setting, connection);
  const env = createTestEnvironment({ clock });
  function fail(rawInput: string, error: unknown = new Error('no luck')): void {
    const d = { channelId: 'c', rawInput };
    const work = { kind: 'command', name: '/a', t: 'APPLICATION_COMMAND', d } as const;
    const run = recorder.open(env, { ...work, receivedAtMs: 0, source: () => 'known' });
    run.env.onError(error, '/a');
    run.close();
  }
  async function records(): Promise<readonly FailedRecord[]> {
    await env.activity.idle();
    const found = await createStorage(connection).list<FailedRecord>('failed:');
    return found.map(({ value }) => value);
  }
  return { clock, fail, records };
}

describe('Recorder', () => {
  it('keeps the newest records of 10,000 failures, and deletes them after their time', async () => {
    const { clock, fail, records } = open();
    for (let index = 1; index <= 10_000; index += 1) fail(`/a ${index}`);
    const ids = (await records()).map(({ id }) => Number(id));
    expect(ids.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, at) => 9_951 + at),
    );
    await clock.advance(8 * 86_400_000);
    expect(await records()).toEqual([]);
  });

  it('replaces the text of a failure, except words of the code', async () => {
    const { fail, records } = open();
    fail('/a known Zoë 42', new TypeError('no Zoë'));
    const [record] = await records();
    expect(record).toMatchObject({
      reason: 'TypeError: xx Xxx',
      frames: [{ d: { rawInput: '/x known Xxx 00' } }],
    });
  });
});

describe('createShaper', () => {
  it('keeps the length, quotes, spaces and signs of text, and numbers ids consistently', () => {
    const shape = createShaper('url');
    const id = '0b8f6a52-5d0a-4f1e-9a37-3a1d2c4e5f60';
    const text = `url="https://Ada.example/x1.png?u=${id}"`;
    const own = '00000000-0000-4000-8000-000000000001';
    expect(shape({ [id]: text, n: 1, none: null }, false)).toEqual({
      [own]: `url="https://Xxx.xxxxxxx/x0.xxx?x=${own}"`,
      x: 1,
      xxxx: null,
    });
  });
});
