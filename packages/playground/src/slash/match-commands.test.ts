import { describe, expect, it } from 'vitest';
import type { Command } from '@virgule/core/protocol';
import { matchCommands, nearestCommand } from './match-commands.js';

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
