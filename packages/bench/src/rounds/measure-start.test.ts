import { describe, expect, it } from 'vitest';
import { ticksOf } from './measure-start.js';

// Fields 3 to 13, then user and system time, then those of children.
const REST = 'S 1 1 1 0 -1 4194560 2000 0 0 0 123 45 900 800 20 0 11 0 5000';

describe('ticksOf', () => {
  it.each(['node', 'my bot', 'a) (b', '((()))'])('reads user and system time of "%s"', (name) => {
    expect(ticksOf(`4711 (${name}) ${REST}`)).toBe(168);
  });
});
