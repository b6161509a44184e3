import { describe, expect, it } from 'vitest';
import { didYouMean } from './did-you-mean.js';

const NAMES = ['description', 'options', 'run', 'defer', 'timeout', 'MESSAGE_CREATE'];

describe('didYouMean', () => {
  it.each([
    ['desciption', 'description'],
    ['descritpion', 'description'],
    ['option', 'options'],
    ['Options', 'options'],
    ['rnu', 'run'],
    ['defr', 'defer'],
    ['message_created', 'MESSAGE_CREATE'],
  ])('corrects %s to %s', (word, meant) => {
    expect(didYouMean(word, NAMES)).toBe(meant);
  });

  it.each(['colour', 'x', '', 'handler', 'optimistic'])('does not correct %j', (word) => {
    expect(didYouMean(word, NAMES)).toBeUndefined();
  });

  it('returns undefined without candidates', () => {
    expect(didYouMean('run', [])).toBeUndefined();
  });
});
