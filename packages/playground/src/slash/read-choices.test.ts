import { describe, expect, it } from 'vitest';
import { readChoices } from './read-choices.js';

describe('readChoices', () => {
  it.each([
    ['Format (png|svg)', ['png', 'svg'], null],
    ['Format (png|svg, default png)', ['png', 'svg'], 'png'],
    [
      'Where (New York, NY|Berlin, default New York, NY)',
      ['New York, NY', 'Berlin'],
      'New York, NY',
    ],
    ['Tags (a|b|c, 1-3 values)', ['a', 'b', 'c'], null],
    ['Size (1|2|4)', ['1', '2', '4'], null],
    ['Month (January|February|Mar…)', ['January', 'February'], null],
    ['Faces on each die (2-1000, default 6)', [], null],
    ['Uses a|b in the text', [], null],
    ['', [], null],
  ])('reads %j', (description, choices, defaultChoice) => {
    expect(readChoices(description)).toEqual({ choices, defaultChoice });
  });
});
