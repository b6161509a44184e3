import { describe, expect, it } from 'vitest';
import { createFakeRest } from '../../test/fake-rest.js';
import { createRecordedLog } from '../../test/recorded-log.js';
import { createServerLookup } from './server-lookup.js';

const CHANNELS = { a: ['one', 'two'], b: ['three'] };

function open() {
  const calls: string[] = [];
  const failing = new Set<string>();
  const called = async <T>(name: string, value: T): Promise<T> => {
    calls.push(name);
    if (failing.has(name)) throw new Error('no');
    return value;
  };
  const rest = createFakeRest().rest;
  const servers = {
    list: () =>
      called(
        'list',
        Object.keys(CHANNELS).map((id) => ({ id })),
      ),
    channels: (id: keyof typeof CHANNELS) =>
      called(
        id,
        CHANNELS[id].map((each) => ({ id: each })),
      ),
  };
  const log = createRecordedLog();
  // The lookup reads only ids.
  const serverOf = createServerLookup({ rest: { ...rest, servers: servers as never }, log });
  return { calls, failing, serverOf };
}

describe('createServerLookup', () => {
  it('reads all channels once, also for channels that are asked for together', async () => {
    const { calls, serverOf } = open();
    expect(await Promise.all(['one', 'three'].map(serverOf))).toEqual(['a', 'b']);
    expect(await serverOf('two')).toBe('a');
    expect(calls).toEqual(['list', 'a', 'b']);
  });

  it('reads them again once for a channel that is not visible', async () => {
    const { calls, serverOf } = open();
    await serverOf('one');
    expect([await serverOf('four'), await serverOf('four')]).toEqual(['', '']);
    expect(calls.filter((name) => name === 'list')).toHaveLength(2);
  });

  it('keeps what it could read, and reads the rest again', async () => {
    const { failing, serverOf } = open();
    failing.add('b');
    expect([await serverOf('three'), await serverOf('one')]).toEqual(['', 'a']);
    failing.clear();
    expect(await serverOf('three')).toBe('b');
  });
});
