import { describe, expect, it } from 'vitest';
import type { SimCommand } from '@virgule/core/simulator-api';
import { COMMANDS } from '../../test/sample-world.js';
import { firstRunCards } from './first-run.js';

const input = { commands: COMMANDS, botName: 'Demo Bot', isBotConnected: true, hasProblems: false };
const titles = (more: Partial<typeof input>) =>
  firstRunCards({ ...input, ...more }).map((card) => card.title);

describe('firstRunCards', () => {
  it('starts with the simplest command and continues with one that has options', () => {
    expect(firstRunCards(input)).toEqual([
      { title: 'Try /hello', text: 'Says hello.', insert: '/hello' },
      {
        title: 'Try /roll',
        text: 'Roll some dice. Its options are shown as you type.',
        insert: '/roll ',
      },
      {
        title: 'Edit commands/hello.ts',
        text: 'Save the file, then run /hello again to get the new answer.',
        insert: null,
      },
    ]);
  });

  it('names no file for a command that may live in a folder', () => {
    const ban: SimCommand = { ...COMMANDS[0]!, name: 'admin-ban' }; // the list is never empty
    expect(titles({ commands: [ban] })).toEqual(['Try /admin-ban']);
  });

  it('says how to get a first command, and that no bot is there', () => {
    expect(titles({ commands: [] })).toEqual(['Add commands/hello.ts']);
    // Its files may define commands, but it could not start.
    expect(titles({ commands: [], hasProblems: true })).toEqual(['Fix the problem']);
    expect(titles({ commands: [], isBotConnected: false })).toEqual([
      'Add commands/hello.ts',
      'Start the bot',
    ]);
  });
});
