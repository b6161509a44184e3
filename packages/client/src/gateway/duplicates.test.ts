import { describe, expect, it } from 'vitest';
import { Duplicates } from './duplicates.js';

const event = (t: string, d: unknown) => ({ t, d, receivedAtMs: 0 });
const command = (interactionId: string) => event('APPLICATION_COMMAND', { interactionId });
const message = (id: string) => event('MESSAGE_CREATE', { id });
const reaction = (count: number) => event('MESSAGE_REACTION_ADD', { id: 'same', count });

describe('Duplicates', () => {
  it('knows commands and new messages by their id, whenever and wherever they come again', () => {
    const duplicates = new Duplicates({ remembersMessages: true });
    expect(duplicates.isRepeat(command('a'), 'new')).toBe(false);
    expect(duplicates.isRepeat(message('a'), 'new')).toBe(false);
    expect(duplicates.isRepeat(command('a'), 'new')).toBe(true);
    expect(duplicates.isRepeat(message('a'), 'old')).toBe(true);
    expect(duplicates.isRepeat(command('b'), 'old')).toBe(false);
  });

  it('keeps a flood of messages from pushing out the commands', () => {
    const duplicates = new Duplicates({ remembersMessages: true });
    duplicates.isRepeat(command('a'), 'new');
    for (let n = 0; n < 50_000; n += 1) duplicates.isRepeat(message(String(n)), 'new');
    expect(duplicates.isRepeat(command('a'), 'new')).toBe(true);
    expect(duplicates.isRepeat(message('0'), 'new')).toBe(false);
  });

  it('remembers no message when nothing reads messages back', () => {
    const duplicates = new Duplicates({ remembersMessages: false });
    expect(duplicates.isRepeat(message('a'), 'new')).toBe(false);
    expect(duplicates.isRepeat(message('a'), 'new')).toBe(false);
    expect(duplicates.isRepeat(command('a'), 'new')).toBe(false);
    expect(duplicates.isRepeat(command('a'), 'new')).toBe(true);
  });

  it('remembers messages while two sockets deliver, whether or not anything reads them back', () => {
    const duplicates = new Duplicates({ remembersMessages: false });
    duplicates.beginOverlap();
    expect(duplicates.isRepeat(message('a'), 'old')).toBe(false);
    expect(duplicates.isRepeat(message('a'), 'new')).toBe(true);
    expect(duplicates.isRepeat(message('b'), 'new')).toBe(false);
    expect(duplicates.isRepeat(message('b'), 'old')).toBe(true);
    duplicates.endOverlap();
    expect(duplicates.isRepeat(message('a'), 'new')).toBe(false);
  });

  it('lets other events through as often as they come over one socket', () => {
    const duplicates = new Duplicates({ remembersMessages: true });
    expect([reaction(1), reaction(1)].map((d) => duplicates.isRepeat(d, 'new'))).toEqual([
      false,
      false,
    ]);
  });

  it('takes one of two that came over both sockets, in whichever order', () => {
    const duplicates = new Duplicates({ remembersMessages: true });
    duplicates.beginOverlap();
    expect(duplicates.isRepeat(reaction(1), 'old')).toBe(false);
    expect(duplicates.isRepeat(reaction(1), 'old')).toBe(false);
    expect(duplicates.isRepeat(reaction(1), 'new')).toBe(true);
    expect(duplicates.isRepeat(reaction(1), 'new')).toBe(true);
    expect(duplicates.isRepeat(reaction(1), 'new')).toBe(false);
    expect(duplicates.isRepeat(reaction(1), 'old')).toBe(true);
    duplicates.endOverlap();
    expect(duplicates.isRepeat(reaction(1), 'new')).toBe(false);
  });

  it('compares 10,000 different events of an overlap, and lets those beyond through', () => {
    const duplicates = new Duplicates({ remembersMessages: false });
    duplicates.beginOverlap();
    for (let n = 0; n < 10_001; n += 1) duplicates.isRepeat(reaction(n), 'old');
    expect(duplicates.isRepeat(reaction(9_999), 'new')).toBe(true);
    expect(duplicates.isRepeat(reaction(10_000), 'new')).toBe(false);
  });

  it.each([[null], ['text'], [{}], [{ interactionId: 7 }]])('lets %j through', (d) => {
    const duplicates = new Duplicates({ remembersMessages: true });
    expect(duplicates.isRepeat(event('APPLICATION_COMMAND', d), 'new')).toBe(false);
    expect(duplicates.isRepeat(event('APPLICATION_COMMAND', d), 'new')).toBe(false);
  });
});
