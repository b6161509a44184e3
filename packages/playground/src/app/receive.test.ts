import { describe, expect, it } from 'vitest';
import { NOW, createFakeApp } from '../../test/fake-app.js';
import { BOT_AUTHOR, EMPTY, GENERAL, GRACE, message } from '../../test/sample-world.js';
import { EMPTY_LOG } from '../state/channel-log.js';
import { unreadTotal } from '../state/unread.js';
import { receiveEvent } from './receive.js';

describe('receiveEvent', () => {
  it('adds a message to a channel that is loaded, and to no other', () => {
    const { store, receive } = createFakeApp();
    store.logs.value = new Map([[GENERAL.id, EMPTY_LOG]]);
    receive({ type: 'message', message: message(GRACE, 'here') });
    receive({ type: 'message', message: message(GRACE, 'there', { channelId: EMPTY.id }) });
    expect(store.openLog.value.messages.map((item) => item.content)).toEqual(['here']);
    expect(store.logs.value.has(EMPTY.id)).toBe(false);
  });

  it('counts what is not seen: other channels, and all of them in a hidden window', () => {
    const { store, receive } = createFakeApp();
    receive({ type: 'message', message: message(GRACE, 'seen'), isNew: true });
    expect(unreadTotal(store.unread.value)).toBe(0);
    const there = message(GRACE, 'there', { channelId: EMPTY.id });
    receive({ type: 'message', message: there, isNew: true });
    receive({ type: 'message', message: { ...there, content: 'edited' } });
    expect(unreadTotal(store.unread.value)).toBe(1);
    const event = { type: 'message', message: message(GRACE, 'here'), isNew: true } as const;
    receiveEvent(store, event, { nowMs: NOW, isVisible: false });
    expect(unreadTotal(store.unread.value)).toBe(2);
  });

  it('opens the problems again when there is a new one', () => {
    const { store, receive } = createFakeApp();
    const problem = { code: 'E_X', message: 'broken' };
    receive({ type: 'problems', problems: [problem] });
    store.areProblemsCollapsed.value = true;
    receive({ type: 'problems', problems: [problem] });
    expect(store.areProblemsCollapsed.value).toBe(true);
    receive({ type: 'problems', problems: [problem, { code: 'E_Y', message: 'more' }] });
    expect(store.areProblemsCollapsed.value).toBe(false);
  });

  it('shows which users type', () => {
    const { store, receive } = createFakeApp();
    receive({ type: 'typing', channelId: GENERAL.id, userId: BOT_AUTHOR.id, forMs: 8000 });
    expect(store.typing.value.get(GENERAL.id)?.get(BOT_AUTHOR.id)).toBe(NOW + 8000);
  });
});
