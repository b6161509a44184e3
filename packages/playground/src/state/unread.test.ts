import { describe, expect, it } from 'vitest';
import { ADA, EMPTY, GENERAL, GRACE, message } from '../../test/sample-world.js';
import { markRead, nothingUnread, unreadAfterMessage, unreadTotal } from './unread.js';

const at = (ms: number) => new Date(1_800_000_000_000 + ms).toISOString();
const start = nothingUnread(1_800_000_000_000);
const context = { ownUserId: ADA.id, seenChannelId: GENERAL.id };
const inEmpty = (ms: number) => message(GRACE, 'hi', { channelId: EMPTY.id, createdAt: at(ms) });

describe('unreadAfterMessage', () => {
  it('counts messages of others in other channels, from the first one', () => {
    const first = inEmpty(1);
    const unread = [first, inEmpty(2)].reduce(
      (all, item) => unreadAfterMessage(all, item, context),
      start,
    );
    expect(unread.channels.get(EMPTY.id)).toEqual({ count: 2, firstId: first.id });
    expect(unreadTotal(unread)).toBe(2);
  });

  it('counts a message once, whatever happens to it later', () => {
    const first = inEmpty(1);
    const unread = [first, { ...first, content: 'edited' }].reduce(
      (all, item) => unreadAfterMessage(all, item, context),
      start,
    );
    expect(unreadTotal(unread)).toBe(1);
  });

  it('counts each of several messages of one millisecond, and each once', () => {
    const [first, second] = [inEmpty(1), inEmpty(1)];
    const unread = [first, second, { ...first, content: 'edited' }, { ...second }].reduce(
      (all, item) => unreadAfterMessage(all, item, context),
      start,
    );
    expect(unread.channels.get(EMPTY.id)).toEqual({ count: 2, firstId: first.id });
  });

  it('counts a message once, although another one came in between', () => {
    const first = inEmpty(1);
    const unread = [first, inEmpty(2), { ...first, content: 'edited' }].reduce(
      (all, item) => unreadAfterMessage(all, item, context),
      start,
    );
    expect(unreadTotal(unread)).toBe(2);
  });

  it('does not count what is from before, seen, own or deleted', () => {
    const unread = [
      inEmpty(-1),
      message(GRACE, 'seen', { channelId: GENERAL.id, createdAt: at(1) }),
      message(ADA, 'own', { channelId: EMPTY.id, createdAt: at(2) }),
      { ...inEmpty(3), isDeleted: true },
    ].reduce((all, item) => unreadAfterMessage(all, item, context), start);
    expect(unreadTotal(unread)).toBe(0);
  });
});

describe('markRead', () => {
  it('empties one channel', () => {
    const unread = unreadAfterMessage(start, inEmpty(1), context);
    expect(unreadTotal(markRead(unread, EMPTY.id))).toBe(0);
    expect(markRead(unread, GENERAL.id)).toBe(unread);
  });
});
