import { expect, it } from 'vitest';
import { causesOf } from './causes-of.js';

it('returns an error and its causes, each once', () => {
  const inner = new Error('inner');
  const error = new Error('outer', { cause: inner });
  expect(causesOf(error)).toEqual([error, inner]);
  expect(causesOf('text')).toEqual([]);
  inner.cause = error;
  expect(causesOf(error)).toEqual([error, inner]);
});
