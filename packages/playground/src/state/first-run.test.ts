import { describe, expect, it } from 'vitest';
import type { SimCommand } from '@virgule/core/simulator-api';
import { BOT, COMMANDS } from '../../test/sample-world.js';
import { firstRunCards } from './first-run.js';
import type { World } from './world.js';

const world = { bots: [BOT], problems: [] };
const titles = (commands: readonly SimCommand[], more: Partial<World> = {}) =>
  firstRunCards(commands, { ...world, ...more }).map((card) => card.title);

describe('firstRunCards', () => {
  it('starts with the simplest command and continues with one that has options', () => {
    expect(firstRunCards(COMMANDS, world)).toEqual([
      { title: 'Try /hello', text: 'Says hello.', insert: '/hello' },
      {
        title: 'Try /roll',
        text: 'Roll some dice. Its options are shown as you type.',
        insert: '/roll ',
      },
      {
        title: 'Edit commands/hello.ts',
        text: 'With virgule dev, save the file and run /hello again to get the new answer.',
        insert: null,
      },
    ]);
  });

  it('offers to mention a bot that reads messages', () => {
    const bots = [{ ...BOT, readsMessages: true }];
    expect(firstRunCards([], { ...world, bots })[0]).toMatchObject({
      title: 'Mention Demo Bot',
      insert: '@demo-bot ',
    });
  });

  it('names no file for a command that may live in a folder', () => {
    const ban: SimCommand = { ...COMMANDS[0]!, name: 'admin-ban' }; // the list is never empty
    expect(titles([ban])).toEqual(['Try /admin-ban']);
  });

  it('says how to get a first command, and that no bot is there', () => {
    expect(titles([])).toEqual(['Add commands/hello.ts']);
    // The files of the bot may define commands, but the bot could not start.
    expect(titles([], { problems: [{ code: 'E_X', message: 'Broken' }] })).toEqual([
      'Fix the problem',
    ]);
    expect(titles([], { bots: [{ ...BOT, connected: false }] })).toEqual([
      'Add commands/hello.ts',
      'Start the bot',
    ]);
  });
});
