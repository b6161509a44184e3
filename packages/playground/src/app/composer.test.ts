import { describe, expect, it, vi } from 'vitest';
import { createFakeApp, memoryStorage } from '../../test/fake-app.js';
import {
  ADA,
  BOT,
  BOT_AUTHOR,
  COMMANDS,
  CROP,
  GENERAL,
  GRACE,
  MUSIC,
  MUSIC_PLAY,
  SANDBOX,
  message,
  snapshot,
  withMusic,
} from '../../test/sample-world.js';
import { EMPTY_LOG } from '../state/channel-log.js';
import { createComposer, type ComposerOptions } from './composer.js';

function start(more: Partial<ComposerOptions> = {}) {
  const app = createFakeApp();
  const drafts = memoryStorage();
  const settings = memoryStorage();
  const options = {
    store: app.store,
    actions: app.actions,
    messages: () => [{ name: 'daily', file: 'commands/daily.ts', message: '!daily [times=1]' }],
    chooseFiles: vi.fn<() => void>(),
    server: SANDBOX,
    channel: GENERAL,
    user: ADA,
    drafts,
    settings,
    ...more,
  };
  const composer = createComposer(options);
  return {
    ...app,
    options,
    composer,
    write(text: string) {
      composer.type(text, text.length);
    },
    press(key: string, modifiers = '') {
      return composer.press({
        key,
        shiftKey: modifiers.includes('shift'),
        ctrlKey: modifiers.includes('ctrl'),
        metaKey: false,
        altKey: modifiers.includes('alt'),
      });
    },
    names: () =>
      composer.items.value.map(({ kind, key, name }) =>
        kind === 'command' || kind === 'nearest' ? name.slice(1) : key,
      ),
  };
}

describe('createComposer', () => {
  it('sends text with Enter and empties itself', () => {
    const { composer, write, press, api } = start();
    write('hello @grace  ');
    expect(press('Enter')).toBe(true);
    expect(api.calls).toEqual([
      ['say', { channel: GENERAL.id, content: `hello <@${GRACE.id}>`, as: ADA.id, seconds: 0 }],
    ]);
    expect(composer.text.value).toBe('');
  });

  it('leaves Shift+Enter and Alt combinations to the text field, and sends nothing blank', () => {
    const { write, press, api } = start();
    write('line');
    expect(press('Enter', 'shift')).toBe(false);
    expect(press('Enter', 'alt')).toBe(false);
    write(' \n ');
    press('Enter');
    expect(api.calls).toEqual([]);
  });

  it('completes a command with Tab, then runs it with Enter', () => {
    const { composer, write, press, api, names } = start();
    write('/ro');
    expect(names()).toEqual(['roll']);
    expect(press('Tab')).toBe(true);
    expect(composer.text.value).toBe('/roll ');
    expect(composer.caret.value).toBe(6);
    write('/roll 20');
    press('Enter');
    expect(api.calls).toMatchObject([
      ['runCommand', { channelId: GENERAL.id, user: ADA, rawInput: '/roll 20' }],
    ]);
  });

  it('completes a command of messages with Enter, then sends the message', () => {
    const { composer, write, press, api, names } = start();
    write('!d');
    expect(names()).toEqual(['!daily']);
    press('Enter');
    expect(composer.text.value).toBe('!daily ');
    press('Enter');
    expect(api.calls).toMatchObject([['say', { content: '!daily' }]]);
  });

  it('moves through the menu around its ends and says what is chosen', () => {
    const { composer, write, press, store, names } = start();
    write('/');
    expect(names()).toEqual(['ban', 'hello', 'play', 'roll', 'slow']);
    expect(composer.chosen.value).toBe(0);
    press('ArrowUp');
    expect(composer.chosen.value).toBe(4);
    press('ArrowDown');
    press('ArrowDown');
    expect(store.spoken.value).toBe('5 commands. /hello, Says hello');
    press('ArrowDown');
    expect(store.spoken.value).toBe('5 commands. /play, Play a track, needs url');
    press('Enter');
    expect(composer.text.value).toBe('/play ');
  });

  it('runs a complete name at once when nothing is required', () => {
    const { write, press, api } = start();
    write('/hello');
    press('Enter');
    expect(api.calls).toHaveLength(1);
  });

  it('refuses a line whose required option is missing, and says which', () => {
    const { composer, write, press, store, api } = start();
    write('/play');
    press('Enter');
    expect(api.calls).toEqual([]);
    expect(composer.text.value).toBe('/play ');
    expect(composer.refused.value?.name).toBe('url');
    expect(store.spoken.value).toBe('url is required');
    write('/play h');
    expect(composer.refused.value).toBeNull();
  });

  it('sends a refused line anyway with Ctrl+Shift+Enter', () => {
    const { write, press, api } = start();
    write('/play');
    press('Enter');
    press('Enter', 'ctrl shift');
    expect(api.calls).toMatchObject([['runCommand', { rawInput: '/play' }]]);
  });

  it('offers values, chosen only once they were begun', () => {
    const { composer, write, press, api } = start();
    write('/play --url="x" --loop=');
    expect(composer.chosen.value).toBe(-1);
    write('/play --url="x" --loop=t');
    expect(composer.chosen.value).toBe(0);
    press('Enter');
    expect(composer.text.value).toBe('/play --url="x" --loop=true ');
    press('Enter');
    expect(api.calls).toMatchObject([['runCommand', { rawInput: '/play --url="x" --loop=true' }]]);
  });

  it('offers users and bots after an @, by both names, and sends the rest as text', () => {
    const { composer, write, press, names, api } = start();
    write('hi @');
    expect(names()).toEqual(['@ada', '@grace', '@linus', '@demo-bot', '@dj']);
    write('hi @Demo');
    expect(names()).toEqual(['@demo-bot']);
    press('Enter');
    expect(composer.text.value).toBe('hi @demo-bot ');
    for (const text of ['ada@g', '@nobody', '@ada', '@ ', '@ada!']) {
      write(text);
      expect(composer.isMenuOpen.value).toBe(false);
    }
    write(`${'x'.repeat(2_000)} @`);
    expect(composer.isTooLong.value).toBe(true);
    write('@Demo Bot good morning');
    press('Enter');
    const content = `<@${BOT.botUserId}> good morning`;
    expect(api.calls).toMatchObject([['say', { content }]]);
  });

  it('replaces the value at the caret and keeps what follows', () => {
    const { composer } = start();
    composer.type('/ban gr for spam', 7);
    const item = composer.items.value[0];
    if (item !== undefined) composer.accept(item);
    expect(composer.text.value).toBe('/ban @grace for spam');
    expect(composer.caret.value).toBe(12);
  });

  it('offers the nearest command, and to send an unknown one as text', () => {
    const { composer, write, press, api, names } = start();
    write('/rol 6');
    expect(names()).toEqual(['roll', 'as-text']);
    press('Enter');
    expect(composer.text.value).toBe('/roll 6');
    write('/usr/bin');
    expect(names()).toEqual(['as-text']);
    press('Enter');
    expect(api.calls).toMatchObject([['say', { content: '/usr/bin' }]]);
  });

  it('knows no commands where the bot is not installed, until it is', () => {
    const { write, names, store } = start();
    const install = (botIds: readonly string[]) => {
      const servers = store.world.value.servers.map((server) => ({ ...server, botIds }));
      store.world.value = { ...store.world.value, servers };
    };
    install([]);
    write('/hello');
    expect(names()).toEqual(['as-text']);
    install([BOT.botUserId]);
    expect(names()).toEqual(['hello']);
  });

  it('offers each command of a name that two bots have', () => {
    const server = { ...SANDBOX, botIds: [BOT.botUserId, MUSIC.botUserId] };
    const { composer, write, press, api, receive, names } = start({ server });
    receive({ type: 'snapshot', snapshot: withMusic(snapshot()) });
    write('/play');
    expect(names()).toEqual(['play@demo-bot', 'play@music']);
    press('ArrowDown');
    press('Enter');
    expect(composer.text.value).toBe('/play@music ');
    press('Enter');
    expect(api.calls).toMatchObject([
      ['runCommand', { commandId: MUSIC_PLAY.id, rawInput: '/play@music' }],
    ]);
    write('/st');
    expect(names()).toEqual(['stop']);
  });

  it('closes the menu with Escape until the text changes', () => {
    const { composer, write, press } = start();
    write('/he');
    expect(press('Escape')).toBe(true);
    expect(composer.isMenuOpen.value).toBe(false);
    expect(press('Escape')).toBe(false);
    write('/hel');
    expect(composer.isMenuOpen.value).toBe(true);
  });

  it('recalls what was sent, and only from an empty field', () => {
    const { composer, write, press } = start();
    for (const text of ['one', '/roll 20']) {
      write(text);
      press('Enter');
    }
    press('ArrowUp');
    expect(composer.text.value).toBe('/roll 20');
    press('ArrowUp');
    press('ArrowUp');
    expect(composer.text.value).toBe('one');
    press('ArrowDown');
    press('ArrowDown');
    expect(composer.text.value).toBe('');
    write('typed');
    expect(press('ArrowUp')).toBe(false);
  });

  it('runs a recalled command with one Enter', () => {
    const { write, press, api } = start();
    write('/roll 20');
    press('Enter');
    press('ArrowUp');
    press('Enter');
    expect(api.calls).toHaveLength(2);
  });

  it('stops at 2,000 characters, counted as they are sent', () => {
    const { composer, write, press, api } = start();
    write('x'.repeat(2000));
    expect(composer.isTooLong.value).toBe(false);
    write(`${'x'.repeat(1990)} @ada`);
    expect(composer.length.value).toBe(1991 + 39);
    expect(composer.isTooLong.value).toBe(true);
    press('Enter');
    expect(api.calls).toEqual([]);
    expect(composer.text.value).not.toBe('');
  });

  it('keeps a draft for each channel and user', () => {
    const { write, options } = start();
    write('half a thou');
    expect(createComposer(options).text.value).toBe('half a thou');
    expect(createComposer({ ...options, user: GRACE }).text.value).toBe('');
  });

  it('uploads files with their bytes and types when the message is sent', async () => {
    const { composer, write, press, api, store } = start();
    composer.attach([
      new File(['hello'], 'a.png', { type: 'image/png' }),
      new File(['x'], 'a.png'),
    ]);
    press('Enter');
    expect(composer.files.list.value).toEqual([]);
    expect(store.sending.value).toMatchObject([{ attachments: [{ size: 5 }, { size: 1 }] }]);
    await vi.waitFor(() => expect(store.sending.value).toEqual([]));
    const where = { channel: GENERAL.id, as: ADA.id };
    expect(api.calls).toMatchObject([
      ['attach', { name: 'a.png', base64: 'aGVsbG8=', contentType: 'image/png', ...where }],
      ['attach', { name: 'a-2.png', base64: 'eA==', ...where }],
      ['say', { content: '', attachments: ['uploads/a.png', 'uploads/a-2.png'] }],
    ]);
    write('no files');
    press('Enter');
    expect(api.calls.at(-1)?.[1]).not.toHaveProperty('attachments');
  });

  it('uploads the files of a failed message again when it is retried', async () => {
    const { composer, write, press, api, store } = start();
    composer.attach([new File(['hello'], 'a.txt')]);
    api.failure = new Error('down');
    write('see');
    press('Enter');
    await vi.waitFor(() => expect(store.failures.value).toHaveLength(1));
    api.failure = null;
    store.failures.value[0]?.retry();
    const names = () => api.calls.map(([name]) => name);
    await vi.waitFor(() => expect(names()).toEqual(['attach', 'attach', 'say']));
  });

  it('fills an attachment option with a file, and sends its URL', async () => {
    const { composer, options, write, press, api, names, store } = start();
    store.world.value = { ...store.world.value, commands: [...COMMANDS, CROP] };
    write('/crop ');
    expect(names()).toEqual([' choose-file']);
    press('Tab');
    expect(options.chooseFiles).toHaveBeenCalledOnce();
    composer.attach([new File(['hello'], 'my cat.png'), new File(['x'], 'b.txt')]);
    expect(composer.text.value).toBe('/crop "my cat.png" ');
    expect(composer.unusedFiles.value.map(({ name }) => name)).toEqual(['b.txt']);
    press('Enter');
    const rawInput = '/crop http://127.0.0.1:7300/_files/uploads/my cat.png';
    await vi.waitFor(() => expect(api.calls.at(-1)).toMatchObject(['runCommand', { rawInput }]));
    expect(composer.files.list.value.map(({ name }) => name)).toEqual(['b.txt']);
    press('ArrowUp');
    expect(composer.text.value).toBe(rawInput);
  });

  it('takes an attached file as the value of the only option for a file', async () => {
    const { composer, write, press, api, store } = start();
    store.world.value = { ...store.world.value, commands: [...COMMANDS, CROP] };
    composer.attach([new File(['hello'], 'cat.png')]);
    write('/crop');
    expect(composer.unusedFiles.value).toEqual([]);
    write('/crop ');
    press('Enter');
    const rawInput = '/crop --file http://127.0.0.1:7300/_files/uploads/cat.png';
    await vi.waitFor(() => expect(api.calls.at(-1)).toMatchObject(['runCommand', { rawInput }]));
    expect(composer.files.list.value).toEqual([]);
  });

  it('offers the commands of a channel while its bot sees the channel', () => {
    const { composer, write, store } = start();
    write('/hel');
    expect(composer.line.value?.kind).toBe('naming');
    const channels = store.world.value.channels.map((each) =>
      each.id === GENERAL.id ? { ...each, visibleToBot: false } : each,
    );
    store.world.value = { ...store.world.value, channels };
    expect(composer.line.value?.kind).toBe('unknown');
  });

  it('adds no files to a message that is edited, and keeps those of the draft', () => {
    const { composer } = start();
    composer.attach([new File(['hello'], 'a.txt')]);
    composer.edit(message(ADA, 'mine'));
    composer.attach([new File(['hello'], 'b.txt')]);
    expect(composer.files.refusal.value).toContain('already sent');
    expect(composer.files.list.value.map(({ name }) => name)).toEqual(['a.txt']);
  });

  it('replies, once', () => {
    const { composer, write, press, api } = start();
    composer.reply(message(BOT_AUTHOR, 'hi'));
    write('yes');
    press('Enter');
    write('no');
    press('Enter');
    const replies = api.calls.map(([, given]) => Reflect.get(Object(given), 'replyTo'));
    expect(replies).toEqual([expect.any(String), undefined]);
  });

  it('edits a message, slash or not, and brings the draft back', () => {
    const { composer, write, press, api } = start();
    write('draft');
    const own = message(ADA, `/hello <@${GRACE.id}>`);
    composer.edit(own);
    expect(composer.text.value).toBe('/hello @grace');
    expect(composer.line.value).toBeNull();
    write('/hello @grace!');
    press('Enter');
    expect(api.calls).toEqual([
      ['edit', { message: own.id, content: `/hello <@${GRACE.id}>!`, as: ADA.id, seconds: 0 }],
    ]);
    expect(composer.text.value).toBe('draft');
  });

  it('edits the own last message with Shift+Up', () => {
    const { composer, press, store } = start();
    const own = message(ADA, 'mine');
    const messages = [own, message(ADA, 'gone', { isDeleted: true }), message(GRACE, 'hers')];
    store.logs.value = new Map([[GENERAL.id, { ...EMPTY_LOG, messages }]]);
    expect(press('ArrowUp', 'shift')).toBe(true);
    expect(composer.mode.value).toEqual({ kind: 'edit', message: own });
    expect(press('Escape')).toBe(true);
    expect(composer.mode.value.kind).toBe('new');
  });

  it('increases the revision when the text field must set its caret', () => {
    const { composer, write } = start();
    const before = composer.revision.value;
    write('/he');
    expect(composer.revision.value).toBe(before);
    composer.fill('/roll ');
    expect(composer.revision.value).toBeGreaterThan(before);
    expect(composer.caret.value).toBe(6);
  });
});
