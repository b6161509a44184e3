import { describe, expect, it } from 'vitest';
import { factsIn } from './facts-in.js';

describe('factsIn', () => {
  it('reads what a body shows', () => {
    expect(factsIn('commands.replace', { commands: [] })).toEqual({ syncResponse: 'wrapped' });
    expect(factsIn('messages.send', undefined)).toEqual({ messageResponse: 'empty' });
  });

  it('reads no form of a message from a body without fields', () => {
    expect(factsIn('messages.send', {})).toEqual({ messageResponse: undefined });
  });

  it('reads nothing from a custom emoji, whose kind is specified', () => {
    const emoji = { kind: 'custom', customEmojiId: 'c' };
    expect(factsIn('MESSAGE_REACTION_ADD', { emoji })).toEqual({});
  });

  it.each([
    [40, 40, 'seconds'],
    [2, 1, 'seconds'],
    [40, 39_400, 'milliseconds'],
    [40, 1_795_809_660, 'seconds since 1970'],
    [40, 1_795_809_660_081, 'milliseconds since 1970'],
    [40, 7, undefined],
    [1, 0, undefined],
  ])('reads the unit of a reset after %i s from %i', (wait, reset, rateLimitReset) => {
    const headers = { 'retry-after': wait, 'x-ratelimit-reset': reset };
    expect(factsIn('429', headers)).toEqual({ rateLimitReset });
  });

  it.each(['messages.get', '__proto__', 'constructor', ''])('reads nothing for "%s"', (name) => {
    expect(factsIn(name, { a: 1 })).toEqual({});
  });
});
