import type { SimMessage } from '@virgule/core/simulator-api';
import { describe, expect, it } from 'vitest';
import { NOW, createFakeApp } from '../../test/fake-app.js';
import {
  ADA,
  BOT_AUTHOR,
  EMPTY,
  GENERAL,
  GRACE,
  interaction,
  message,
} from '../../test/sample-world.js';
import { EMPTY_LOG } from '../state/channel-log.js';
import { unreadTotal } from '../state/unread.js';
import { failureOf, receiveEvent } from './receive.js';

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

  it('replaces each message in flight by the stored message once', () => {
    const { actions, store, receive } = createFakeApp();
    store.logs.value = new Map([[GENERAL.id, EMPTY_LOG]]);
    const writer = { channel: GENERAL, user: ADA };
    actions.sendMessage(writer, { content: 'again', replyTo: null });
    actions.sendMessage(writer, { content: 'again', replyTo: null });
    receive({ type: 'message', message: message(GRACE, 'again'), isNew: true });
    expect(store.sending.value).toHaveLength(2);
    const arrived = message(ADA, 'again');
    receive({ type: 'message', message: arrived, isNew: true });
    expect(store.sending.value).toHaveLength(1);
    // A reaction sends the message once more.
    receive({ type: 'message', message: arrived });
    expect(store.sending.value).toHaveLength(1);
    expect(store.openLog.value.messages).toHaveLength(2);
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

  it('reports a command or message of the user that fails, once', () => {
    const { store, receive } = createFakeApp();
    store.logs.value = new Map([[GENERAL.id, EMPTY_LOG]]);
    const own = message(ADA, 'hi');
    const other = message(GRACE, 'hi');
    for (const each of [own, other]) receive({ type: 'message', message: each, isNew: true });
    const failure = { message: 'no' };
    const failed = (each: SimMessage) =>
      failureOf(store, { type: 'message', message: { ...each, failure } });
    expect([failed(own), failed(other)]).toEqual([own.id, null]);
    receive({ type: 'message', message: { ...own, failure } });
    expect(failed(own)).toBe(null);
    const run = interaction({ userId: ADA.id });
    const event = { type: 'interaction', interaction: { ...run, failure } } as const;
    expect(failureOf(store, event)).toBe(run.id);
    receive(event);
    expect(failureOf(store, event)).toBe(null);
  });

  it('shows which users type', () => {
    const { store, receive } = createFakeApp();
    receive({ type: 'typing', channelId: GENERAL.id, userId: BOT_AUTHOR.id, forMs: 8000 });
    expect(store.typing.value.get(GENERAL.id)?.get(BOT_AUTHOR.id)).toBe(NOW + 8000);
  });
});
