import { describe, expect, it } from 'vitest';
import { pageBack, windowAround } from './history.js';
import type { MessageRecord } from './state.js';

/** Returns a history from signs: a letter is a message, a dot a deleted one. Positions have gaps. */
function historyOf(signs: string): MessageRecord[] {
  return [...signs].map((sign, index) => ({
    id: sign,
    position: index * 10 + 5,
    channelId: 'channel',
    authorId: 'author',
    content: sign,
    attachments: [],
    reactions: [],
    replyToMessageId: null,
    interactionId: null,
    createdAt: '',
    editedAt: null,
    isDeleted: sign === '.',
  }));
}

const text = (messages: readonly MessageRecord[]): string => messages.map(({ id }) => id).join('');

describe('pageBack', () => {
  it.each([
    ['abcde', undefined, 2, 'ed', true],
    ['abcde', undefined, 5, 'edcba', false],
    ['abcde', 2, 2, 'ba', false],
    ['abcde', 2, 1, 'b', true],
    ['abcde', 0, 3, '', false],
    ['ab...', undefined, 2, 'ba', false],
    ['.b.d.', undefined, 1, 'd', true],
    ['...d.', undefined, 1, 'd', false],
    ['.....', undefined, 3, '', false],
    ['', undefined, 3, '', false],
  ])('in %s before %s, at most %i: %s', (signs, beforeIndex, limit, page, hasMore) => {
    const history = historyOf(signs);
    const before = beforeIndex === undefined ? undefined : history[beforeIndex];
    const found = pageBack(history, before, limit, { withDeleted: false });
    expect({ page: text(found.messages), hasMore: found.hasMore }).toEqual({ page, hasMore });
  });

  it('shows what was deleted when asked', () => {
    const found = pageBack(historyOf('a.c'), undefined, 2, { withDeleted: true });
    expect({ page: text(found.messages), hasMore: found.hasMore }).toEqual({
      page: 'c.',
      hasMore: true,
    });
  });

  it('continues after a page, even if its last message is no longer kept', () => {
    const history = historyOf('abcde');
    const [, , before] = history;
    const kept = history.filter(({ id }) => id !== 'c');
    const found = pageBack(kept, before, 9, { withDeleted: false });
    expect(text(found.messages)).toBe('ba');
  });
});

describe('windowAround', () => {
  it.each([
    ['abcde', 2, 1, 1, 'bcd', true, true],
    ['abcde', 2, 2, 2, 'abcde', false, false],
    ['abcde', 0, 9, 0, 'a', false, true],
    ['abcde', 4, 0, 9, 'e', true, false],
    ['a.c.e', 2, 1, 1, 'ace', false, false],
    ['a.c.e', 2, 0, 0, 'c', true, true],
    ['..c..', 2, 0, 0, 'c', false, false],
  ])('in %s around %i, %i before and %i after: %s', (signs, index, before, after, ...expected) => {
    const history = historyOf(signs);
    const message = history[index];
    if (message === undefined) throw new Error('no such message');
    const found = windowAround(history, message, { before, after });
    expect([text(found.messages), found.hasOlder, found.hasNewer]).toEqual(expected);
  });
});
