import { expect, it } from 'vitest';
import { describeSeen } from './describe-seen.js';

class Sent extends Promise<void> {}

it.each([
  ['text', '"text"'],
  ['x'.repeat(61), 'a string of 61 characters'],
  [12, '12'],
  [null, 'null'],
  [undefined, 'undefined'],
  [[1], 'an array'],
  [{ a: 1 }, 'an object'],
  [Object.create(null), 'an object'],
  [new Date(0), 'a Date'],
  [() => {}, 'a function'],
  [Sent.resolve(), 'a promise without await'],
])('describes %j', (value, words) => {
  expect(describeSeen(value)).toBe(words);
});
