import { describe, expect, it, vi } from 'vitest';
import { createFakeApp } from '../../test/fake-app.js';
import { ADA, COMMANDS, GENERAL, LOUNGE, id, message } from '../../test/sample-world.js';
import { EMPTY_LOG } from '../state/channel-log.js';
import { RequestError } from '../net/request-error.js';

const writer = { channel: GENERAL, user: ADA };
const hello = COMMANDS.find((command) => command.name === 'hello');

describe('createActions', () => {
  it('keeps a failed action, shows it, and retries on request', async () => {
    const { actions, api, store } = createFakeApp();
    api.failure = new RequestError('too long', 'bot_validation_error', 'r1');
    actions.sendMessage(writer, { content: 'hi', replyTo: null });
    await vi.waitFor(() => expect(store.failures.value).toHaveLength(1));
    expect(store.failures.value[0]).toMatchObject({
      what: 'Sending "hi"',
      error: { code: 'bot_validation_error' },
    });
    expect(store.spoken.value).toBe('Sending "hi" failed. too long');

    api.failure = null;
    store.failures.value[0]?.retry();
    expect(store.failures.value).toEqual([]);
    expect(api.calls.map(([name]) => name)).toEqual(['say', 'say']);
  });

  it('shows a message while it is sent, and then as the simulator returns it', async () => {
    const { actions, store } = createFakeApp();
    store.logs.value = new Map([[GENERAL.id, EMPTY_LOG]]);
    actions.sendMessage(writer, { content: 'hi', replyTo: null });
    expect(store.timeline.value.at(-1)).toMatchObject({
      message: { content: 'hi', authorId: ADA.id },
      isSending: true,
    });
    expect(store.openLog.value.messages).toEqual([]);
    await vi.waitFor(() => expect(store.openLog.value.messages).toHaveLength(1));
    expect(store.timeline.value.filter(({ kind }) => kind === 'entry')).toMatchObject([
      { message: { content: 'hi' }, isSending: false },
    ]);
  });

  it('does not replace a message that changed before its response came', async () => {
    const { actions, api, store, receive } = createFakeApp();
    store.logs.value = new Map([[GENERAL.id, EMPTY_LOG]]);
    const first = message(ADA, 'hi');
    let respond: (sent: typeof first) => void = () => {};
    const response = new Promise<typeof first>((resolve) => {
      respond = resolve;
    });
    api.said = () => response;
    actions.sendMessage(writer, { content: 'hi', replyTo: null });
    receive({ type: 'message', message: { ...first, content: 'edited' } });
    respond(first);
    await vi.waitFor(() => expect(store.sending.value).toEqual([]));
    expect(store.openLog.value.messages).toMatchObject([{ content: 'edited' }]);
  });

  it('shows a message that was not sent as a failure only', async () => {
    const { actions, api, store } = createFakeApp();
    api.failure = new Error('no');
    actions.sendMessage(writer, { content: 'hi', replyTo: null });
    expect(store.sending.value).toHaveLength(1);
    await vi.waitFor(() => expect(store.failures.value).toHaveLength(1));
    expect(store.sending.value).toEqual([]);
  });

  it('keeps several failures apart', async () => {
    const { actions, api, store } = createFakeApp();
    api.failure = new Error('anything');
    if (hello !== undefined) actions.runCommand(writer, hello, '/hello');
    actions.act('Joining the voice channel', ADA, 'voice', { channel: LOUNGE.id });
    actions.act('Leaving the voice channel', ADA, 'voice', { leave: true });
    await vi.waitFor(() => expect(store.failures.value).toHaveLength(3));
    expect(store.failures.value.map((failure) => failure.what).toSorted()).toEqual([
      'Joining the voice channel',
      'Leaving the voice channel',
      'Running /hello',
    ]);
    expect(store.failures.value[0]?.error.code).toBe('unreachable');
    actions.dismissFailure(store.failures.value[1]?.id ?? -1);
    expect(store.failures.value).toHaveLength(2);
  });

  it('reacts and takes it back as the user, and says what was refused', async () => {
    const { actions, api, store } = createFakeApp();
    const target = message(ADA, 'hi');
    actions.react(ADA, target, '👍', false);
    api.failure = new Error('no');
    actions.react(ADA, target, '👍', true);
    const change = { message: target.id, emoji: '👍', as: ADA.id, seconds: 0 };
    expect(api.calls).toEqual([
      ['react', { ...change, remove: false }],
      ['react', { ...change, remove: true }],
    ]);
    await vi.waitFor(() => expect(store.failures.value).toHaveLength(1));
    expect(store.failures.value[0]?.what).toBe('Removing the reaction');
  });

  it('acts as the user, and does not wait for the bot', () => {
    const { actions, api } = createFakeApp();
    actions.act('Deleting the message', ADA, 'delete', { message: id(77) });
    expect(api.calls).toEqual([['delete', { message: id(77), as: ADA.id, seconds: 0 }]]);
  });
});
