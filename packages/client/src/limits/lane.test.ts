import { describe, expect, it } from 'vitest';
import { joinLanes, laneName, readLaneName } from './lane.js';

describe('laneName', () => {
  it.each([
    { route: 'messages.send', major: 'a' },
    { route: 'users.me', major: '' },
  ])('can be read again: %j', (lane) => {
    expect(readLaneName(laneName(lane))).toEqual(lane);
  });
});

describe('joinLanes', () => {
  it.each([
    [['b x', 'a x', 'b x'], { route: 'a + b', major: 'x' }],
    [['a x', 'a y'], { route: 'a', major: '' }],
    [['a ', 'b '], { route: 'a + b', major: '' }],
  ])('calls %j %j', (names, expected) => {
    expect(joinLanes(names)).toEqual(expected);
  });
});
