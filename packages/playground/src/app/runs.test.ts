import { describe, expect, it } from 'vitest';
import { createFakeApp } from '../../test/fake-app.js';
import { BOT_AUTHOR, GENERAL, interaction, message } from '../../test/sample-world.js';
import { EMPTY_LOG } from '../state/channel-log.js';
import { createRuns } from './runs.js';

/** Runs in a channel that is open, whose commands are answered by the test. */
function open() {
  const { store, api, actions, receive } = createFakeApp();
  store.logs.value = new Map([[GENERAL.id, EMPTY_LOG]]);
  const runs = createRuns(store, actions);
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const commands = () => api.calls.filter(([name]) => name === 'runCommand').length;
  const answer = (content: string) => {
    const interactionId = runs.pin.peek()?.interactionId ?? '';
    receive({ type: 'message', message: message(BOT_AUTHOR, content, { interactionId }) });
  };
  const reload = async () => {
    runs.receive({ type: 'reloaded', files: ['commands/hello.ts'] });
    await settle();
  };
  return { runs, receive, settle, commands, answer, reload };
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
    expect(runs.answer.value).toEqual({ state: 'first', text: 'one' });
    await reload();
    expect(runs.answer.value.state).toBe('running');
    answer('one');
    expect(runs.answer.value.state).toBe('same');
    await reload();
    answer('two');
    expect([runs.answer.value, runs.pin.value?.before]).toEqual([
      { state: 'changed', text: 'two' },
      'one',
    ]);
    expect(commands()).toBe(3);
  });

  it('shows that the pinned line fails or expires, and compares with the answer before that', async () => {
    const { runs, receive, settle, answer, reload } = open();
    runs.pinLine('/hello');
    await settle();
    answer('one');
    await reload();
    const id = runs.pin.peek()?.interactionId ?? '';
    receive({ type: 'interaction', interaction: interaction({ id, state: 'expired' }) });
    expect(runs.answer.value).toEqual({ state: 'failed', text: null });
    await reload();
    answer('one');
    expect(runs.answer.value.state).toBe('same');
  });

  it('runs nothing after it was unpinned', async () => {
    const { runs, settle, commands, reload } = open();
    runs.pinLine('/hello');
    await settle();
    runs.unpin();
    await reload();
    expect(commands()).toBe(1);
  });
});
