import { describe, expect, it } from 'vitest';
import { createFakeApp, memoryStorage } from '../../test/fake-app.js';
import { ADA, BOT_AUTHOR, GENERAL, SANDBOX, message } from '../../test/sample-world.js';
import { EMPTY_LOG } from '../state/channel-log.js';
import { createComposer } from './composer.js';
import type { Key } from './composer-keys.js';

function start() {
  const app = createFakeApp();
  const composer = createComposer({
    store: app.store,
    actions: app.actions,
    messages: () => [],
    chooseFiles: () => {},
    server: SANDBOX,
    channel: GENERAL,
    user: ADA,
    drafts: memoryStorage(),
    settings: memoryStorage(),
  });
  return {
    ...app,
    composer,
    write: (text: string) => composer.type(text, text.length),
    press: (key: string, modifiers: Partial<Key> = {}) =>
      composer.press({
        key,
        shiftKey: false,
        ctrlKey: false,
        metaKey: false,
        altKey: false,
        ...modifiers,
      }),
    firstItem() {
      const [item] = composer.items.value;
      if (item === undefined) throw new Error('the menu is empty');
      return item;
    },
  };
}

describe('pressKey', () => {
  it('leaves the text field what moves and selects in it', () => {
    const { composer, write, press, store } = start();
    const own = message(ADA, 'mine');
    store.logs.value = new Map([[GENERAL.id, { ...EMPTY_LOG, messages: [own] }]]);
    write('sent');
    press('Enter');
    for (const key of ['ArrowUp', 'ArrowDown']) {
      expect(press(key, { ctrlKey: true })).toBe(false);
      expect(press(key, { metaKey: true })).toBe(false);
    }
    expect(press('ArrowDown', { shiftKey: true })).toBe(false);
    expect(composer.text.value).toBe('');
    write('half a line');
    expect(press('ArrowUp', { shiftKey: true })).toBe(false);
    expect(press('x')).toBe(false);
    expect(composer.mode.value.kind).toBe('new');
    expect(composer.text.value).toBe('half a line');
  });

  it('leaves Tab to the page where there is nothing to complete', () => {
    const { composer, write, press, api } = start();
    write('hello');
    expect(press('Tab')).toBe(false);
    write('/ro');
    expect(press('Tab', { shiftKey: true })).toBe(false);
    press('Escape');
    expect(press('Tab')).toBe(false);
    expect(composer.text.value).toBe('/ro');
    write('/usr/bin');
    expect(press('Tab')).toBe(false);
    expect(composer.text.value).toBe('/usr/bin');
    expect(api.calls).toEqual([]);
  });

  it('completes a value with Tab, chosen or not', () => {
    const { composer, write, press } = start();
    write('/play --url="x" --loop=');
    expect(composer.chosen.value).toBe(-1);
    expect(press('Tab')).toBe(true);
    expect(composer.text.value).toBe('/play --url="x" --loop=true ');
  });

  it('says each kind of line that the arrows come to', () => {
    const { write, press, store } = start();
    write('/rol 6');
    press('ArrowDown');
    expect(store.spoken.value).toBe('Send it as a message');
    press('ArrowUp');
    expect(store.spoken.value).toBe('Did you mean /roll, Roll some dice');
    write('/play --url="x" --loop=');
    press('ArrowDown');
    expect(store.spoken.value).toBe('2 values. true');
  });

  it('chooses nothing from a menu that is closed', () => {
    const { composer, write, press, api } = start();
    write('/usr/bin');
    press('Escape');
    expect(composer.chosen.value).toBe(-1);
    press('Enter');
    expect(api.calls).toMatchObject([['say', { content: '/usr/bin' }]]);
    expect(composer.text.value).toBe('');
  });
});

describe('createComposer, used with a pointer', () => {
  it('reads the line at the caret, wherever that was put', () => {
    const { composer, write } = start();
    write('/ban @grace for spam');
    expect(composer.line.value).toMatchObject({ current: { name: 'reason' } });
    composer.moveCaret(7);
    expect(composer.line.value).toMatchObject({ current: { name: 'who' } });
  });

  it('passes over a value of a line that is not there any more', () => {
    const { composer, write, firstItem } = start();
    write('/play --url="x" --loop=t');
    const item = firstItem();
    write('hello');
    composer.accept(item);
    expect(composer.text.value).toBe('hello');
  });

  it('cancels an edit for a reply, and restores the draft', () => {
    const { composer, write } = start();
    write('draft');
    composer.edit(message(ADA, 'mine'));
    const answered = message(BOT_AUTHOR, 'hi');
    composer.reply(answered);
    expect(composer.mode.value).toEqual({ kind: 'reply', message: answered });
    expect(composer.text.value).toBe('draft');
  });
});
