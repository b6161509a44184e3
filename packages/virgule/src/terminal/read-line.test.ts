import { describe, expect, it } from 'vitest';
import { readLine } from './read-line.js';

const KNOWN = ['roll', 'story-short', 'story-short-sad', 'list'];

describe('readLine', () => {
  it.each(['/roll 20', 'roll 20'])('reads %s with or without its slash', (line) => {
    expect(readLine(line, KNOWN)).toEqual({ rawInput: '/roll 20', name: 'roll' });
  });

  it.each([
    ['/rol', 'Did you mean /roll?'],
    ['/story short', 'Did you mean /story-short?'],
    ['/story short and sad', 'Did you mean /story-short?'],
    ['/story short sad one', 'Did you mean /story-short-sad?'],
    ['story shrt', 'Did you mean /story-short?'],
    ['/roll-20', 'Available: /roll, /story-short, /story-short-sad, /list.'],
  ])('says for %s: %s', (line, hint) => {
    expect(() => readLine(line, KNOWN)).toThrow(
      expect.objectContaining({ code: 'E_COMMAND_UNKNOWN', hint }),
    );
  });
});
