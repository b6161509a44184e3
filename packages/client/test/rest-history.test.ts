import type { Message } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import type { HistoryOptions, Rest } from '@virgule/client/rest';
import { readFixture } from './read-fixture.js';
import { createScriptedDispatcher } from './scripted-dispatcher.js';
import { CHANNEL, errorOf, openRest } from './test-rest.js';

const message = readFixture('message') as Message;
const idOf = (number: number): string =>
  `f06b2e94-7d51-8a3c-9740-${String(number).padStart(12, '0')}`;

/** A channel with messages 1 to `count`; the highest is the newest. */
function openChannel({
  count = 0,
  pageSize = 50,
  isOldestFirst = false,
  /** `true` if pages have `hasMore`. */
  says = true,
  /** A message whose time is none. */
  unreadable = 0,
} = {}) {
  const all = Array.from({ length: count }, (_, index) => ({
    ...message,
    id: idOf(count - index),
    content: String(count - index),
    createdAt:
      count - index === unreadable
        ? 'yesterday'
        : new Date(Date.UTC(2026, 0, 1) + (count - index) * 1_000).toISOString(),
  }));
  const queries: string[] = [];
  const dispatcher = createScriptedDispatcher(({ path }) => {
    const query = new URL(path, 'http://chat.test').searchParams;
    queries.push(query.toString());
    const before = query.get('before');
    const from = before === null ? 0 : all.findIndex(({ id }) => id === before) + 1;
    const shown = all.slice(from, from + Math.min(pageSize, Number(query.get('limit') ?? 50)));
    return {
      json: {
        messages: isOldestFirst ? shown.toReversed() : shown,
        ...(says && { hasMore: from + shown.length < count }),
        oldestId: shown.at(-1)?.id ?? null,
      },
    };
  });
  return { rest: openRest('http://chat.test', { dispatcher }), queries };
}

async function read(rest: Rest, options?: HistoryOptions): Promise<number[]> {
  const contents: number[] = [];
  for await (const { content } of rest.messages.history(CHANNEL, options)) {
    contents.push(Number(content));
  }
  return contents;
}

const down = (from: number, to: number): number[] =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index);

describe('messages.history', () => {
  it('returns all messages, from the newest to the oldest', async () => {
    const { rest, queries } = openChannel({ count: 120 });
    expect(await read(rest)).toEqual(down(120, 1));
    expect(queries).toEqual(['', `before=${idOf(71)}`, `before=${idOf(21)}`]);
  });

  it('returns nothing for an empty channel', async () => {
    expect(await read(openChannel().rest)).toEqual([]);
  });

  it('puts a page in order that comes the other way round', async () => {
    const { rest } = openChannel({ count: 12, pageSize: 5, isOldestFirst: true });
    expect(await read(rest)).toEqual(down(12, 1));
  });

  it('begins before a message', async () => {
    const { rest, queries } = openChannel({ count: 9 });
    expect(await read(rest, { before: idOf(4) })).toEqual([3, 2, 1]);
    expect(queries).toEqual([`before=${idOf(4)}`]);
  });

  it('ends after so many messages, and asks for no more than these', async () => {
    const { rest, queries } = openChannel({ count: 120 });
    expect(await read(rest, { limit: 60 })).toEqual(down(120, 61));
    expect(queries).toEqual(['', `before=${idOf(71)}&limit=10`]);
    expect(await read(rest, { limit: 0 })).toEqual([]);
  });

  it('returns no more than asked for when a page is larger', async () => {
    const dispatcher = createScriptedDispatcher(() => ({ json: readFixture('message-page') }));
    const rest = openRest('http://chat.test', { dispatcher });
    expect(await read(rest, { limit: 1 })).toHaveLength(1);
    expect(dispatcher.requests).toHaveLength(1);
  });

  it('reads a page only when it is needed', async () => {
    const { rest, queries } = openChannel({ count: 120 });
    for await (const { content } of rest.messages.history(CHANNEL)) {
      if (content === '71') break;
    }
    expect(queries).toHaveLength(1);
  });

  it('stops when its signal is aborted, in the middle of a page', async () => {
    const { rest, queries } = openChannel({ count: 120 });
    const controller = new AbortController();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { content } of rest.messages.history(CHANNEL, controller)) {
        seen.push(content);
        if (content === '118') controller.abort(new Error('enough'));
      }
    })();
    const error = await errorOf(reading);
    expect(error.code).toBe('E_ABORTED');
    expect(error.cause).toEqual(new Error('enough'));
    expect(seen).toEqual(['120', '119', '118']);
    expect(queries).toHaveLength(1);
  });

  it('stops when its signal is aborted while a page is in flight', async () => {
    const controller = new AbortController();
    const dispatcher = createScriptedDispatcher(() => {
      controller.abort();
      return 'silence';
    });
    const rest = openRest('http://chat.test', { dispatcher });
    const error = await errorOf(read(rest, { signal: controller.signal }));
    expect(error.code).toBe('E_ABORTED');
  });

  it('rejects when the platform returns the same page again', async () => {
    const page = { ...Object(readFixture('message-page')), hasMore: true };
    const dispatcher = createScriptedDispatcher(() => ({ json: page }));
    const rest = openRest('http://chat.test', { dispatcher });
    const error = await errorOf(read(rest));
    expect(error.code).toBe('E_BAD_RESPONSE');
    expect(error.details['field']).toBe('oldestId');
    expect(dispatcher.requests).toHaveLength(2);
  });

  describe.each<readonly [string, (page: number) => object, number, string]>([
    ['does not say where the next page begins', () => ({ oldestId: null }), 1, 'oldestId'],
    ['leaves out where the next page begins', () => ({ oldestId: undefined }), 1, 'oldestId'],
    ['names no id there', () => ({ oldestId: 'abc' }), 1, 'oldestId'],
    ['leads in a circle', (page) => ({ oldestId: idOf(page % 3) }), 4, 'oldestId'],
    [
      'is empty again and again',
      (page) => ({ messages: [], oldestId: idOf(page) }),
      25,
      'messages',
    ],
  ])('when each page says that there is more, and %s', (_, pageOf, requests, field) => {
    it('rejects, since an end would hide that there is more', async () => {
      const dispatcher = createScriptedDispatcher(() => ({
        json: {
          ...Object(readFixture('message-page')),
          hasMore: true,
          ...pageOf(dispatcher.requests.length),
        },
      }));
      const rest = openRest('http://chat.test', { dispatcher });
      const error = await errorOf(read(rest));
      expect([error.code, error.details['field']]).toEqual(['E_BAD_RESPONSE', field]);
      expect(dispatcher.requests).toHaveLength(requests);
    });
  });

  it('reads to the first empty page when no page says whether there is more', async () => {
    const { rest, queries } = openChannel({ count: 12, pageSize: 5, says: false });
    expect(await read(rest)).toEqual(down(12, 1));
    expect(queries).toHaveLength(4);
  });

  it('puts a page in order in which a time cannot be read', async () => {
    const { rest } = openChannel({ count: 5, isOldestFirst: true, unreadable: 3 });
    const contents = await read(rest);
    expect(contents.filter((content) => content !== 3)).toEqual([5, 4, 2, 1]);
    expect(contents).toHaveLength(5);
  });

  it.each([Number.NaN, -1])('refuses %s as a limit', async (limit) => {
    const error = await errorOf(read(openChannel({ count: 1 }).rest, { limit }));
    expect(error.details).toMatchObject({ field: 'limit', seen: String(limit) });
  });
});
