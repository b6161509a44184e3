import { expect, it } from 'vitest';
import { createColors } from './colors.js';

it('styles texts, also inside of each other, or leaves them as they are', () => {
  const { bold, dim, red } = createColors(true);
  expect(bold(red('a'))).toBe('\u001B[1m\u001B[31ma\u001B[39m\u001B[22m');
  expect(bold(`a ${dim('b')} c`)).toBe('\u001B[1ma \u001B[2mb\u001B[22m\u001B[1m c\u001B[22m');
  const plain = createColors(false);
  expect(plain.bold(plain.red('a'))).toBe('a');
});
