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

  it.each(['messages.get', '__proto__', 'constructor', ''])('reads nothing for "%s"', (name) => {
    expect(factsIn(name, { a: 1 })).toEqual({});
  });
});
