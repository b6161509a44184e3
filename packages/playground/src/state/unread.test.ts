import { describe, expect, it } from 'vitest';
import { ADA, EMPTY, GENERAL, GRACE, message } from '../../test/sample-world.js';
import { markRead, type Unread, unreadAfterMessage, unreadTotal } from './unread.js';

const NONE: Unread = new Map();
const context = { ownUserId: ADA.id, seenChannelId: GENERAL.id };
const inEmpty = () => message(GRACE, 'hi', { channelId: EMPTY.id });

describe('unreadAfterMessage', () => {
  it('counts messages of others in other channels, from the first one', () => {
    const first = inEmpty();
    const unread = [first, inEmpty()].reduce(
      (all, item) => unreadAfterMessage(all, item, context),
      NONE,
    );
    expect(unread.get(EMPTY.id)).toEqual({ count: 2, firstId: first.id });
    expect(unreadTotal(unread)).toBe(2);
  });

  it('does not count what is seen or own', () => {
    const unread = [
      message(GRACE, 'seen', { channelId: GENERAL.id }),
      message(ADA, 'own', { channelId: EMPTY.id }),
    ].reduce((all, item) => unreadAfterMessage(all, item, context), NONE);
    expect(unreadTotal(unread)).toBe(0);
  });
});

describe('markRead', () => {
  it('empties one channel', () => {
    const unread = unreadAfterMessage(NONE, inEmpty(), context);
    expect(unreadTotal(markRead(unread, EMPTY.id))).toBe(0);
    expect(markRead(unread, GENERAL.id)).toBe(unread);
  });
});
