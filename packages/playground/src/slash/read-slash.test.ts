import { describe, expect, it } from 'vitest';
import type { Command } from '@virgule/core/protocol';
import { ADA, COMMANDS, DJ, GENERAL, GRACE } from '../../test/sample-world.js';
import { type CommandLine, matchCommands, nearestCommand, readSlash } from './read-slash.js';

const command = (name: string, description = ''): Command => ({
  id: name,
  name,
  description,
  options: [],
  createdAt: '',
});
const commands = [
  command('skip', 'Skip the current track'),
  command('replay', 'Once more'),
  command('play', 'Play a track'),
  command('ping', 'Latency check'),
];
const names = (query: string) => matchCommands(commands, query).map((item) => item.name);

describe('matchCommands', () => {
  it('lists all of them by name for a lone slash', () => {
    expect(names('')).toEqual(['ping', 'play', 'replay', 'skip']);
  });

  it('puts names that start with it first, then names and descriptions that have it', () => {
    expect(names('pl')).toEqual(['play', 'replay']);
    expect(names('track')).toEqual(['play', 'skip']);
    expect(names('P')).toEqual(['ping', 'play', 'replay', 'skip']);
  });

  it('finds nothing for what is not there', () => {
    expect(names('zzz')).toEqual([]);
  });

  it('lists at most 50', () => {
    const many = Array.from({ length: 80 }, (_, index) => command(`c${index}`));
    expect(matchCommands(many, 'c')).toHaveLength(50);
  });
});

describe('nearestCommand', () => {
  it.each([
    ['pley', 'play'],
    ['lpay', 'play'],
    ['plya', 'play'],
    ['skiip', 'skip'],
    ['PING', 'ping'],
    ['rplay', 'replay'],
  ])('reads %s as %s', (name, expected) => {
    expect(nearestCommand(commands, name)?.name).toBe(expected);
  });

  it.each(['usr/bin', 'x', '', 'p'.repeat(10_000)])('reads %j as no command', (name) => {
    expect(nearestCommand(commands, name)).toBeNull();
  });
});

const nameable = { users: [ADA, GRACE], channels: [GENERAL], roles: [DJ], files: [] };

const MESSAGES = [
  { name: 'daily', file: 'commands/daily.ts', message: '!daily [times=1]', about: 'Claim coins' },
  { name: 'top', file: 'commands/top.ts', message: '!top', about: 'The richest users' },
];

/** Reads a line whose caret is marked with `|`, or is at the end. */
function read(marked: string) {
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  const caret = at === -1 ? text.length : at;
  return readSlash({ text, caret, commands: COMMANDS, messages: MESSAGES, nameable });
}

function readCommand(marked: string): CommandLine {
  const line = read(marked);
  if (line?.kind !== 'command') throw new Error(`${marked} is ${line?.kind ?? 'no slash line'}`);
  return line;
}

describe('readSlash', () => {
  it('ignores other text', () => {
    expect(read('hello')).toBeNull();
    expect(read(' /hello')).toBeNull();
  });

  it('offers the commands of messages after their prefix', () => {
    const daily = { insert: '!daily', label: '!daily [times=1]', detail: 'Claim coins' };
    const top = { insert: '!top', label: '!top', detail: 'The richest users' };
    const offered = (values: readonly object[], end: number) => ({
      kind: 'mention',
      values,
      replaces: { start: 0, end },
    });
    expect(read('!')).toEqual(offered([daily, top], 1));
    expect(read('!D')).toEqual(offered([daily], 2));
    for (const other of ['', '|!', 'a !d', '!x', '!top', '!daily 5', 'daily'])
      expect(read(other)).toBeNull();
  });

  it('offers commands while the name is typed', () => {
    const line = read('/pl');
    expect(line?.kind === 'naming' && line.matches.map((item) => item.name)).toEqual(['play']);
    expect(read('/')).toMatchObject({ kind: 'naming', query: '' });
  });

  it('says that a command is unknown, and which one is near', () => {
    expect(read('/helo')).toMatchObject({ kind: 'unknown', nearest: { name: 'hello' } });
    expect(read('/usr/bin here')).toMatchObject({
      kind: 'unknown',
      name: 'usr/bin',
      nearest: null,
    });
  });

  it('follows the caret through the options', () => {
    expect(readCommand('/roll ').current?.name).toBe('sides');
    expect(readCommand('/roll 20').current?.name).toBe('sides');
    expect(readCommand('/roll 20 ').current?.name).toBe('count');
    expect(readCommand('/roll 2|0 3').current?.name).toBe('sides');
    expect(readCommand('/ro|ll 20').current).toBeNull();
    expect(readCommand('/roll 20 3 ').current).toBeNull();
  });

  it('names the required options that are missing', () => {
    expect(readCommand('/play ').missing.map((option) => option.name)).toEqual(['url']);
    expect(readCommand('/play x').missing).toEqual([]);
    expect(readCommand('/roll ').missing).toEqual([]);
  });

  it('warns about a value once it is complete', () => {
    expect(readCommand('/roll many').warning).toBeNull();
    expect(readCommand('/roll many ').warning).toBe('sides must be a whole number');
    expect(readCommand('/roll 1 2 3').warning).toBe('"3" belongs to no option');
  });

  it.each([
    ['/roll 1 count:2 count:3', 'count is given twice'],
    ['/roll --sides --count 3', '--sides has no value'],
    ['/roll| --sides', '--sides has no value'],
    ['/roll |"a b', 'sides: the quote is never closed'],
  ])('warns about what the bot cannot assign in %s', (text, warning) => {
    const line = readCommand(text);
    expect(line.warning).toBe(warning);
    // The bot reports the mismatch first.
    expect(line.missing).toEqual([]);
  });

  it.each(['/roll --sides', '/roll --sides ', '/roll "a b'])(
    'does not warn while %s is typed',
    (text) => {
      expect(readCommand(text).warning).toBeNull();
    },
  );

  it('suggests the value of a named option after its name', () => {
    const line = readCommand('/ban --who ');
    expect(line.current?.name).toBe('who');
    expect(line.values.map((value) => value.insert)).toContain('@grace');
    expect(line.replaces).toEqual({ start: 11, end: 11 });
    expect(readCommand('/ban --who').values).toEqual([]);
    expect(readCommand('/ban --who @gr').replaces).toEqual({ start: 11, end: 14 });
  });

  it('suggests nothing for a flag, which has its value', () => {
    const line = readCommand('/play --loop');
    expect(line.current?.name).toBe('loop');
    expect(line.values).toEqual([]);
  });

  it('suggests values, and what they replace', () => {
    const line = readCommand('/ban gr');
    expect(line.values.map((value) => value.insert)).toEqual(['@grace']);
    expect(line.replaces).toEqual({ start: 5, end: 7 });
    const words = readCommand('/play --loop=').values.map((value) => value.insert);
    expect(words).toEqual(['true', 'false']);
    expect(readCommand('/play --loop=true').values).toEqual([]);
  });

  it('sends exactly what is typed, with mentions where an option asks for one', () => {
    expect(readCommand('/play  https://a.b/c.mp3  true ').rawInput).toBe(
      '/play  https://a.b/c.mp3  true',
    );
    expect(readCommand('/ban @grace being @ada').rawInput).toBe(`/ban <@${GRACE.id}> being @ada`);
    expect(readCommand('/ban who:@grace').rawInput).toBe(`/ban who:<@${GRACE.id}>`);
  });

  it('sends the role or the user that the option takes, where both have the name', () => {
    const named = { ...nameable, roles: [{ ...DJ, name: 'grace' }] };
    const lineOf = (type: string) => {
      const options = [{ name: 'who', type, required: true, description: '' }];
      const commands = [{ id: 'x', name: 'x', description: '', options, createdAt: '' }];
      const line = readSlash({
        text: '/x @grace',
        caret: 9,
        commands,
        messages: [],
        nameable: named,
      });
      return line?.kind === 'command' ? line.rawInput : line;
    };
    expect(lineOf('role')).toBe(`/x <@&${DJ.id}>`);
    expect(lineOf('user')).toBe(`/x <@${GRACE.id}>`);
    expect(lineOf('mentionable')).toBe(`/x <@${GRACE.id}>`);
  });

  it('knows a command in any case', () => {
    expect(readCommand('/ROLL 6').command.name).toBe('roll');
  });
});
