import type { Message } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { readFixture } from '../../test/read-fixture.js';
import { readMissed } from './backfill.js';

// The fixture is a message by the hand copy of the Bot Interface.
const template = readFixture('message-with-nulls') as Message;
const at = (second: number, id = `m${second}`): Message => ({
  ...template,
  id,
  createdAt: new Date(second * 1_000).toISOString(),
});

/** A channel with these messages, newest first, two on a page. */
function channelOf(messages: readonly Message[], pageSize = 2) {
  const asked: unknown[] = [];
  return {
    asked,
    rest: {
      messages: {
        async list(channelId: string, query: { readonly before?: string | undefined }) {
          asked.push([channelId, query]);
          const start = messages.findIndex(({ id }) => id === query.before) + 1;
          const page = messages.slice(start, start + pageSize);
          return {
            messages: page,
            hasMore: start + pageSize < messages.length,
            oldestId: page.at(-1)?.id ?? null,
          };
        },
      },
    },
  };
}

const read = (channel: ReturnType<typeof channelOf>, sinceMs: number) =>
  readMissed({
    rest: channel.rest,
    channelId: 'c',
    sinceMs,
    signal: new AbortController().signal,
  });

describe('readMissed', () => {
  it('reads back to the time, no page further, and returns the oldest first', async () => {
    const channel = channelOf([at(9), at(8), at(7), at(6), at(5), at(4)]);
    const { messages, complete } = await read(channel, 7_000);
    expect([messages.map(({ id }) => id), complete]).toEqual([['m7', 'm8', 'm9'], true]);
    expect(channel.asked).toEqual([
      ['c', {}],
      ['c', { before: 'm8' }],
    ]);
  });

  it('ends with the channel', async () => {
    const { messages, complete } = await read(channelOf([at(2), at(1)]), 0);
    expect([messages.length, complete]).toEqual([2, true]);
    expect(await read(channelOf([]), 0)).toEqual({ messages: [], complete: true });
  });

  it('keeps the order of messages of one moment, and does not mind pages in another order', async () => {
    const same = await read(channelOf([at(1, 'c'), at(1, 'b'), at(1, 'a')]), 0);
    expect(same.messages.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    const other = await read(channelOf([at(1), at(2), at(3)], 3), 0);
    expect(other.messages.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3']);
  });

  it('leaves out what was deleted', async () => {
    const { messages } = await read(channelOf([{ ...at(2), isDeleted: true }, at(1)]), 0);
    expect(messages.map(({ id }) => id)).toEqual(['m1']);
  });

  it('reads 10 pages at most, and says that there were more', async () => {
    const channel = channelOf(Array.from({ length: 100 }, (_, n) => at(200 - n)));
    const { messages, complete } = await read(channel, 0);
    expect([messages.length, complete, channel.asked.length]).toEqual([20, false, 10]);
  });

  it('is not led in circles by a page that names itself as the next', async () => {
    let asked = 0;
    const list = async () => {
      asked += 1;
      return { messages: [at(5)], hasMore: true, oldestId: 'm5' };
    };
    await readMissed({
      rest: { messages: { list } },
      channelId: 'c',
      sinceMs: 0,
      signal: new AbortController().signal,
    });
    expect(asked).toBe(2);
  });
});
