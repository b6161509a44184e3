import { describe, expect, it } from 'vitest';
import { createFakeApp } from '../../test/fake-app.js';
import { ADA, EMPTY, GENERAL, GRACE, interaction, message } from '../../test/sample-world.js';
import { EMPTY_LOG } from '../state/channel-log.js';

const startedAt = '2026-11-20T12:00:00.000Z';

describe('createStore', () => {
  it('shows the messages and the commands of the open channel, and of no other', () => {
    const { store, receive } = createFakeApp();
    const said = message(GRACE, 'hello', { createdAt: startedAt });
    const here = interaction({ state: 'expired', createdAt: startedAt });
    const there = interaction({ state: 'expired', channelId: EMPTY.id });
    receive({ type: 'interaction', interaction: here });
    receive({ type: 'interaction', interaction: there });
    store.logs.value = new Map([
      [GENERAL.id, { ...EMPTY_LOG, messages: [said] }],
      [EMPTY.id, { ...EMPTY_LOG, messages: [message(ADA, 'elsewhere')] }],
    ]);
    const shown = store.timeline.value.flatMap((row) => (row.kind === 'entry' ? [row.key] : []));
    expect(shown).toEqual([said.id, here.id]);
  });

  it('draws the line of new messages in the channel it belongs to', () => {
    const { store } = createFakeApp();
    const said = message(GRACE, 'hello', { createdAt: startedAt });
    store.logs.value = new Map([[GENERAL.id, { ...EMPTY_LOG, messages: [said] }]]);
    const kinds = () => store.timeline.value.map((row) => row.kind);
    store.newLine.value = { channelId: EMPTY.id, messageId: said.id };
    expect(kinds()).toEqual(['day', 'entry']);
    store.newLine.value = { channelId: GENERAL.id, messageId: said.id };
    expect(kinds()).toEqual(['day', 'new', 'entry']);
  });

  it('assigns a different hue to each user', () => {
    const { store } = createFakeApp();
    const ids = store.world.value.users.map(({ id }) => id);
    expect([...store.hues.value.keys()]).toEqual(ids);
    expect(new Set(store.hues.value.values()).size).toBe(ids.length);
  });
});
