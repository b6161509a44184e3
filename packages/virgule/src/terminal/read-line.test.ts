import { describe, expect, it } from 'vitest';
import { readLine } from './read-line.js';

const slash = (name: string) => ({ name, aliases: [], messages: false });
const KNOWN = [
  ...['roll', 'story-short', 'story-short-sad', 'list'].map(slash),
  { name: 'daily', aliases: ['d'], messages: 'only' as const },
  { name: 'both', aliases: [], messages: true },
];
const USER = { id: '1', username: 'demo-bot', displayName: 'Demo Bot' };
const WORLD = { users: [USER], channels: [], roles: [], bot: { botUserId: '1' } };
const read = (line: string) => readLine(line, KNOWN, 'bot, ', WORLD);

describe('readLine', () => {
  it.each(['/roll 20', 'roll 20'])('reads %s with or without its slash', (line) => {
    const known = { isMessage: false, unknown: undefined };
    expect(read(line)).toEqual({ ...known, line: '/roll 20', name: '/roll' });
  });

  it.each([
    ['bot, daily 5', 'bot, daily'],
    ['bot, D', 'bot, D'],
    ['<@1> both', 'bot, both'],
  ])('reads %s as a message', (line, name) => {
    expect(read(line)).toEqual({ isMessage: true, unknown: undefined, line, name });
  });

  it.each(['@bot', '@demo-bot', '@Demo Bot'])('reads %s as a mention of the bot', (name) => {
    expect(read(`${name} both 5`)).toMatchObject({ line: '<@1> both 5', name: 'bot, both' });
  });

  it.each([
    ['/rol', 'Did you mean /roll?'],
    ['/story short', 'Did you mean /story-short?'],
    ['/story short and sad', 'Did you mean /story-short?'],
    ['/story short sad one', 'Did you mean /story-short-sad?'],
    ['story shrt', 'Did you mean /story-short?'],
    [
      '/no-such',
      'Available: /roll, /story-short, /story-short-sad, /list, bot, daily, bot, d, /both.',
    ],
    ['/daily', 'Did you mean bot, daily?'],
    ['/bothh', 'Did you mean /both?'],
    ['bot, dayly', 'Did you mean bot, daily?'],
    [
      'bot, rol',
      'Did you mean /roll? For messages, set `messages: true` in the file of the command.',
    ],
    ['@bot dayly', 'Did you mean bot, daily?'],
  ])('says for %s: %s', (line, hint) => {
    expect(read(line).unknown).toMatchObject({ code: 'E_COMMAND_UNKNOWN', hint });
  });
});
