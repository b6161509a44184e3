import { describe, expect, it } from 'vitest';
import {
  BOT,
  COMMANDS,
  MUSIC,
  MUSIC_PLAY,
  SANDBOX,
  snapshot,
  withMusic,
} from '../../test/sample-world.js';
import { botName, commandOf, commandsIn, commandWord, isOwnBot } from './bots.js';

const world = withMusic(snapshot());
const both = { ...SANDBOX, botIds: [BOT.botUserId, MUSIC.botUserId] };

describe('commandsIn', () => {
  it.each([
    ['none', { ...SANDBOX, botIds: [] }, []],
    ['the only bot', SANDBOX, COMMANDS.map(({ name }) => name)],
    [
      'both, and says which where they share a name',
      both,
      ['hello', 'roll', 'play@demo-bot', 'ban', 'slow', 'play@music', 'stop'],
    ],
  ])('has the commands of %s', (_, server, words) => {
    expect(commandsIn(world, server).map(commandWord)).toEqual(words);
  });
});

it.each([
  ['play@music', MUSIC_PLAY.id],
  ['PLAY@Music', MUSIC_PLAY.id],
  ['play', COMMANDS[2]?.id],
  ['play@other', undefined],
])('commandOf finds that of %s', (word, id) => {
  expect(commandOf(commandsIn(world, both), word)?.id).toBe(id);
});

it('botName and isOwnBot know both', () => {
  expect([botName(world, MUSIC.botUserId), botName(world), botName({ bots: [] })]).toEqual([
    'Music',
    'Demo Bot',
    'The bot',
  ]);
  expect([MUSIC.botUserId, 'other'].map((id) => isOwnBot(world, id))).toEqual([true, false]);
});
