import { describe, expect, it } from 'vitest';
import type { SimEvent } from '@virgule/core/simulator-api';
import { createFakeApp } from '../../test/fake-app.js';
import { ADA, EMPTY, GRACE, interaction, message } from '../../test/sample-world.js';
import { createNews, summarizeNews } from './news.js';

describe('summarizeNews', () => {
  it('says one or two things in full', () => {
    expect(summarizeNews([])).toBe('');
    expect(summarizeNews(['Ada: hi'])).toBe('Ada: hi');
    expect(summarizeNews(['Ada: hi', 'Bot: yes'])).toBe('Ada: hi. Bot: yes');
  });

  it('counts more, and cuts what is long', () => {
    expect(summarizeNews(['a', 'b', 'c'])).toBe('3 new, the last: c');
    expect(summarizeNews(['x'.repeat(300)])).toHaveLength(201);
  });
});

function start() {
  const app = createFakeApp();
  const timers: (() => void)[] = [];
  const news = createNews(app.store, { setTimer: (callback) => timers.push(callback) });
  return { ...app, news, timers, speak: () => timers.shift()?.() };
}

const says = (text: string, more = {}): SimEvent => ({
  type: 'message',
  message: message(GRACE, text, more),
  isNew: true,
});

describe('createNews', () => {
  it('says new messages of others, without their marks, once a second', () => {
    const { news, store, speak, timers } = start();
    news.add(says(`**hi** <@${ADA.id}>`));
    news.add(says('again'));
    expect(store.spoken.value).toBe('');
    expect(timers).toHaveLength(1);
    speak();
    expect(store.spoken.value).toBe('Grace: hi @Ada. Grace: again');
    news.add(says('later'));
    expect(timers).toHaveLength(1);
  });

  it('is silent about the own messages, other channels and changes', () => {
    const { news, timers } = start();
    const quiet: SimEvent[] = [
      { type: 'message', message: message(ADA, 'own'), isNew: true },
      says('elsewhere', { channelId: EMPTY.id }),
      { type: 'message', message: message(GRACE, 'edited') },
      { type: 'problems', problems: [] },
    ];
    for (const event of quiet) news.add(event);
    expect(timers).toEqual([]);
  });

  it('announces the states of commands', () => {
    const { news, store, speak } = start();
    const states = ['waiting', 'deferred', 'expired'] as const;
    for (const state of states) {
      news.add({ type: 'interaction', interaction: interaction({ state }) });
    }
    speak();
    expect(store.spoken.value).toBe(
      '/roll: Demo Bot is thinking. /roll: Demo Bot did not respond in time.',
    );
  });

  it('announces an acknowledged command, and nothing of other channels', () => {
    const { news, store, speak } = start();
    const acknowledged = interaction({ state: 'acknowledged' });
    news.add({ type: 'interaction', interaction: { ...acknowledged, channelId: EMPTY.id } });
    news.add({ type: 'interaction', interaction: acknowledged });
    speak();
    expect(store.spoken.value).toBe('/roll: acknowledged, no response');
  });
});
