import { describe, expect, it } from 'vitest';
import { createFakeApp, NOW } from '../../test/fake-app.js';
import { ADA, BOT_AUTHOR, GENERAL, GRACE, interaction, message } from '../../test/sample-world.js';
import { EMPTY_LOG } from '../state/channel-log.js';
import { createRuns } from './runs.js';

/** Runs in an open channel, whose commands the test answers. */
function open() {
  const { store, api, actions, receive } = createFakeApp();
  store.logs.value = new Map([[GENERAL.id, EMPTY_LOG]]);
  const timers: (() => void)[] = [];
  const runs = createRuns(store, actions, {
    now: () => NOW,
    setTimer: (callback) => timers.push(callback),
    api,
    advance: (time) => void api.act('clock', { action: 'skip', time }),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const commands = () => api.calls.filter(([name]) => name === 'runCommand').length;
  const answer = (content: string) => {
    const interactionId = runs.pin.peek()?.interactionIds.at(-1) ?? '';
    receive({ type: 'message', message: message(BOT_AUTHOR, content, { interactionId }) });
  };
  const reload = async () => {
    runs.receive({ type: 'reloaded', files: ['commands/hello.ts'] });
    await settle();
  };
  /** Ends every wait by time. */
  const giveUp = async () => {
    for (const callback of timers.splice(0)) callback();
    await settle();
  };
  return { runs, api, receive, settle, commands, answer, reload, giveUp };
}

describe('createRuns', () => {
  it('runs a line again, and nothing that is no command', async () => {
    const { runs, settle, commands } = open();
    runs.again('/hello there');
    runs.again('/nothing');
    await settle();
    expect(commands()).toBe(1);
  });

  it('runs the pinned line after each reload, and compares the answers', async () => {
    const { runs, settle, commands, answer, reload } = open();
    runs.pinLine('/hello');
    expect(runs.answer.value.state).toBe('running');
    await settle();
    answer('one');
    expect(runs.answer.value).toEqual({ state: 'first', texts: ['one'] });
    await reload();
    expect(runs.answer.value.state).toBe('running');
    answer('one');
    expect(runs.answer.value.state).toBe('same');
    await reload();
    answer('two');
    expect([runs.answer.value, runs.pin.value?.before]).toEqual([
      { state: 'changed', texts: ['two'] },
      ['one'],
    ]);
    expect(commands()).toBe(3);
  });

  it('shows that the pinned line fails or expires, and compares with the answer before that', async () => {
    const { runs, receive, settle, answer, reload } = open();
    runs.pinLine('/hello');
    await settle();
    answer('one');
    await reload();
    const id = runs.pin.peek()?.interactionIds[0] ?? '';
    receive({ type: 'interaction', interaction: interaction({ id, state: 'expired' }) });
    expect(runs.answer.value).toEqual({ state: 'failed', texts: [] });
    await reload();
    answer('one');
    expect(runs.answer.value.state).toBe('same');
  });

  it('runs nothing after it was unpinned', async () => {
    const { runs, settle, commands, reload } = open();
    runs.pinLine('/hello');
    await settle();
    runs.pin.value = null;
    await reload();
    expect(commands()).toBe(1);
  });

  it('replays a conversation, each step after as many answers as there were before it', async () => {
    const { runs, api, receive, settle, answer, giveUp } = open();
    const at = (seconds: number) => new Date(NOW - 60_000 + seconds * 1_000).toISOString();
    const run = interaction({ rawInput: '/hello', createdAt: at(0), state: 'answered' });
    receive({ type: 'interaction', interaction: run });
    const hello = message(BOT_AUTHOR, 'Hello!', {
      interactionId: run.id,
      createdAt: at(1),
      reactions: [
        {
          emoji: { kind: 'unicode', unicodeEmoji: '👍' },
          count: 2,
          me: true,
          userIds: [BOT_AUTHOR.id, GRACE.id],
        },
      ],
    });
    receive({ type: 'message', message: hello });
    receive({ type: 'message', message: message(GRACE, 'thanks', { createdAt: at(2) }) });
    receive({ type: 'message', message: message(BOT_AUTHOR, 'Bye!', { createdAt: at(3) }) });
    const done = () => api.calls.map(([name]) => name);

    runs.replay(hello);
    await settle();
    expect(done()).toEqual(['runCommand']);
    expect(runs.answer.value.state).toBe('running');
    answer('Hi!');
    await settle();
    expect(done()).toEqual(['runCommand', 'react', 'say']);
    expect(api.calls[1]).toMatchObject(['react', { as: GRACE.id, emoji: '👍' }]);
    // The second answer never arrives.
    await giveUp();
    receive({
      type: 'interaction',
      interaction: { ...run, id: runs.pin.peek()?.interactionIds[0] ?? '' },
    });
    expect(runs.answer.value).toEqual({ state: 'changed', texts: ['Hi!'] });
    expect(runs.pin.value?.before).toEqual(['Hello!', 'Bye!']);
    const later = new Date(NOW + 1_000).toISOString();
    receive({ type: 'message', message: message(BOT_AUTHOR, 'Bye!', { createdAt: later }) });
    expect(runs.answer.value.texts).toEqual(['Hi!', 'Bye!']);
  });

  it('plays a saved conversation, and saves what is pinned as one', async () => {
    const { runs, api, settle, answer } = open();
    await runs.playSaved('hello');
    await settle();
    answer('Hi!');
    await settle();
    expect(api.calls.map(([name]) => name)).toEqual([
      'conversation',
      'runCommand',
      'clock',
      'react',
    ]);
    expect(await runs.save()).toBe('hello');
    expect(api.calls.at(-1)).toEqual([
      'conversation',
      { name: 'hello', text: '#general\nada: /hello\n+2h\ngrace 👍\n' },
    ]);
  });

  it.each([
    ['#general\nada says hi', 'Line 2 is not a line of a conversation.'],
    ['ada: hi\nrestart', 'without a restart'],
    ['nobody: hi', 'there is no user nobody'],
    ['#nowhere\nada: hi', 'There is no channel nowhere.'],
  ])('says why it cannot play %j', async (text, reason) => {
    const { runs, api } = open();
    api.conversation = text;
    await expect(runs.playSaved('x')).rejects.toThrow(reason);
    expect(runs.pin.value).toBeNull();
  });

  it('does not replay what the bot wrote by itself', async () => {
    const { runs, settle } = open();
    runs.replay(message(BOT_AUTHOR, 'Good morning', {}));
    await settle();
    expect(runs.pin.value).toBeNull();
  });

  it('stops a conversation that is unpinned', async () => {
    const { runs, api, receive, settle, giveUp } = open();
    const first = message(ADA, 'one', { createdAt: new Date(NOW - 9_000).toISOString() });
    receive({ type: 'message', message: first });
    receive({
      type: 'message',
      message: message(BOT_AUTHOR, 'and?', { createdAt: new Date(NOW - 8_000).toISOString() }),
    });
    receive({
      type: 'message',
      message: message(ADA, 'two', { createdAt: new Date(NOW - 7_000).toISOString() }),
    });
    runs.replay(first);
    await settle();
    runs.pin.value = null;
    await giveUp();
    expect(api.calls.map(([, sent]) => (sent as { content: string }).content)).toEqual(['one']);
  });
});
