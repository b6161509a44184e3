import { describe, expect, it } from 'vitest';
import { openStorage, readSent, writeSent, type TextStorage } from './stored-text.js';

const memory = (): TextStorage =>
  openStorage(() => {
    throw new Error('storage is switched off');
  });

describe('openStorage', () => {
  it('remembers for as long as the page lives when the browser allows nothing', () => {
    const storage = memory();
    storage.setItem('a', '1');
    expect(storage.getItem('a')).toBe('1');
    storage.removeItem('a');
    expect(storage.getItem('a')).toBeNull();
  });

  it('is the browser’s own where there is one', () => {
    const own = memory();
    expect(openStorage(() => own)).toBe(own);
  });
});

describe('sent lines', () => {
  it('are kept in order, the same one once, at most 50', () => {
    const storage = memory();
    for (const text of ['/hello', '/roll', '/hello']) writeSent(storage, 'ada', text);
    expect(readSent(storage, 'ada')).toEqual(['/roll', '/hello']);
    for (let index = 0; index < 60; index += 1) writeSent(storage, 'ada', `line ${index}`);
    expect(readSent(storage, 'ada')).toHaveLength(50);
    expect(readSent(storage, 'ada').at(-1)).toBe('line 59');
    expect(readSent(storage, 'grace')).toEqual([]);
  });

  it.each(['{', '"text"', 'null'])('are empty when the storage holds %s', (text) => {
    const storage = memory();
    storage.setItem('virgule.sent.ada', text);
    expect(readSent(storage, 'ada')).toEqual([]);
  });
});
