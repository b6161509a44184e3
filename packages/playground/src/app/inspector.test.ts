import { describe, expect, it } from 'vitest';
import type { SimBotQuestion, SimTask } from '@virgule/core/simulator-api';
import { readJson, RequestError } from '../net/request-error.js';
import { openStorage } from '../state/stored-text.js';
import { createInspector, type InspectorWorld } from './inspector.js';

const TASK: SimTask = {
  name: 'remind',
  file: 'tasks/remind.ts',
  schedule: null,
  canRun: true,
  payload: {},
  runs: [],
  hasMore: false,
};

/** An inspector of a bot with these stored keys. The test fires its timers. */
function open(keys: readonly string[] = [], pageSize = 2) {
  const asked: SimBotQuestion[] = [];
  const timers = new Map<number, () => void>();
  let lastTimer = 0;
  const bot = {
    isVisible: true,
    isRoomy: true,
    tasks: [TASK],
    hold: undefined as Promise<void> | undefined,
  };
  const settings = openStorage(() => {
    throw new Error('denied');
  });
  const answer = async (question: SimBotQuestion): Promise<unknown> => {
    asked.push(question);
    await bot.hold;
    if (question.type === 'tasks') return bot.tasks;
    if (question.type !== 'storage') return true;
    const { search = '', after = '' } = question;
    const found = keys.filter((key) => key.includes(search) && key > after);
    const entries = found.slice(0, pageSize).map((key) => ({ key, value: '1', length: 1 }));
    return { entries, hasMore: found.length > pageSize };
  };
  // Each result has the type of its action.
  const ask = (question: SimBotQuestion) => answer(question) as Promise<never>;
  const world: InspectorWorld = {
    api: {
      async read(name, { search = '', after } = {}) {
        if (name === 'commands') return { commands: await ask({ type: 'handlers' }) } as never;
        if (name === 'tasks') return { tasks: await ask({ type: name }) } as never;
        if (name === 'trace') return { rows: [], hasMore: false, firstId: 1, lastId: 0 } as never;
        return ask({
          type: 'storage',
          prefix: '',
          search: String(search),
          after: after?.toString(),
        });
      },
      ask: async () => ({ names: [], rules: [], presets: [] }) as never,
      async act(_name, input) {
        const { action, name, payload } = input as {
          readonly action: 'run' | 'cancel' | 'retry';
          readonly name: string;
          readonly payload: unknown;
        };
        await ask({ type: 'task', action, name, payload });
      },
    },
    settings,
    isVisible: () => bot.isVisible,
    isRoomy: () => bot.isRoomy,
    setTimer: (callback) => {
      lastTimer += 1;
      timers.set(lastTimer, callback);
      return lastTimer;
    },
    clearTimer: (timer) => void timers.delete(timer),
  };
  const inspector = createInspector(world);
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    inspector,
    asked,
    bot,
    world,
    settle,
    timers,
    shown: () => inspector.shown.value.stored?.entries.map(({ key }) => key),
    async tick() {
      const due = [...timers.values()];
      timers.clear();
      for (const callback of due) callback();
      await settle();
    },
  };
}

describe('createInspector', () => {
  it('reads the open tab at once and again, and nothing while it is closed or hidden', async () => {
    const { inspector, asked, bot, settle, tick, timers } = open();
    await tick();
    expect(asked).toEqual([]);
    inspector.show('tasks');
    await settle();
    expect(inspector.shown.value.tasks).toEqual([TASK]);
    bot.tasks = [];
    await tick();
    expect(inspector.shown.value.tasks).toEqual([]);
    bot.isVisible = false;
    await tick();
    await tick();
    expect(asked).toHaveLength(2);
    bot.isVisible = true;
    await tick();
    expect(asked).toHaveLength(3);
    inspector.toggle();
    expect(inspector.tab.value).toBeNull();
    await tick();
    expect([asked.length, timers.size]).toEqual([3, 0]);
  });

  it('opens the tab that was open last, also after a reload of the page', async () => {
    const { inspector, world } = open();
    inspector.show('storage');
    inspector.toggle();
    inspector.toggle();
    expect(inspector.tab.value).toBe('storage');
    const later = createInspector(world);
    later.toggle();
    expect(later.tab.value).toBe('storage');
  });

  it('opens by itself for a failure where there is room, until it is closed', () => {
    const { inspector, bot } = open();
    bot.isRoomy = false;
    inspector.suggest('a');
    expect(inspector.tab.value).toBeNull();
    bot.isRoomy = true;
    inspector.suggest('a');
    expect(inspector.tab.value).toBe('trace');
    inspector.toggle();
    inspector.suggest('b');
    expect(inspector.tab.value).toBeNull();
    inspector.explain('b');
    expect(inspector.tab.value).toBe('trace');
  });

  it('does not leave another tab for a failure', () => {
    const { inspector } = open();
    inspector.show('storage');
    inspector.suggest('a');
    expect(inspector.tab.value).toBe('storage');
  });

  it('ignores the answer to a search that is no longer wanted', async () => {
    const { inspector, bot, settle, shown } = open(['a1', 'b1']);
    let release = (): void => {};
    bot.hold = new Promise((resolve) => (release = resolve));
    inspector.show('storage');
    inspector.search('a');
    bot.hold = undefined;
    inspector.search('b');
    await settle();
    expect(shown()).toEqual(['b1']);
    release();
    await settle();
    expect(shown()).toEqual(['b1']);
  });

  it('runs, cancels and retries, and reads the tasks again', async () => {
    const { inspector, asked, settle } = open();
    inspector.show('tasks');
    await settle();
    inspector.send('task', { action: 'run', name: 'remind', payload: { text: 'tea' } });
    await settle();
    inspector.send('task', { action: 'run', name: 'remind' });
    await settle();
    inspector.send('task', { action: 'cancel', name: 'remind:1' });
    await settle();
    inspector.send('task', { action: 'retry', name: 'remind:1' });
    await settle();
    expect(asked).toEqual([
      { type: 'tasks' },
      { type: 'task', action: 'run', name: 'remind', payload: { text: 'tea' } },
      { type: 'tasks' },
      { type: 'task', action: 'run', name: 'remind', payload: undefined },
      { type: 'tasks' },
      { type: 'task', action: 'cancel', name: 'remind:1' },
      { type: 'tasks' },
      { type: 'task', action: 'retry', name: 'remind:1' },
      { type: 'tasks' },
    ]);
  });

  it('deletes after the time in which two tabs can undo', async () => {
    const [one, other] = [open(), open()];
    const deletion = (id: string) =>
      ({ what: `Delete ${id}`, name: 'channel', input: { action: 'retry', name: id } }) as const;
    one.inspector.remove(deletion('a'));
    other.inspector.remove(deletion('b'));
    one.inspector.removal.value = null;
    await one.tick();
    expect(one.asked).toEqual([]);
    expect(other.asked).toEqual([]);
    // A tab that closes leaves nothing behind, and the next deletion does not wait for the last one.
    other.inspector.remove(deletion('c'));
    await other.settle();
    expect(other.asked).toEqual([{ type: 'task', action: 'retry', name: 'b' }]);
    await other.tick();
    expect(other.asked.at(-1)).toEqual({ type: 'task', action: 'retry', name: 'c' });
    expect([other.inspector.removal.value, other.timers.size]).toEqual([null, 0]);
  });

  it('shows why reading failed until it succeeds, and an action until the next one', async () => {
    const { inspector, asked, bot, settle, tick } = open();
    inspector.show('tasks');
    await settle();
    inspector.send('task', () => ({ payload: readJson('{', 'The payload is not JSON.') }));
    await settle();
    expect(inspector.error.value?.message).toBe('The payload is not JSON.');
    expect(asked).toHaveLength(1);
    await tick();
    expect(inspector.error.value?.message).toBe('The payload is not JSON.');
    inspector.send('task', { action: 'run', name: 'remind', payload: {} });
    await settle();
    expect(inspector.error.value).toBeNull();
    bot.hold = Promise.reject(new RequestError('Not now.', 'sim_bot_silent', null));
    bot.hold.catch(() => {});
    await tick();
    expect(inspector.error.value?.message).toBe('Not now.');
    bot.hold = undefined;
    await tick();
    expect(inspector.error.value).toBeNull();
  });
});
