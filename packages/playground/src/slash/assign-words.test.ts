import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommandOption } from '@virgule/core/protocol';
import { assignWords } from './assign-words.js';
import { splitWords } from './split-words.js';

const option = (name: string, type = 'string', required = false): CommandOption => ({
  name,
  type,
  required,
  description: '',
});
const options = [option('sides', 'integer'), option('loud', 'boolean'), option('note')];

function assign(line: string, list = options) {
  const { given, next, surplus } = assignWords(list, splitWords(line), line);
  return {
    given: Object.fromEntries(given.map((value) => [value.option.name, value.text])),
    places: given.map((value) => line.slice(value.start, value.end)),
    next: next?.name ?? null,
    surplus: surplus.map((word) => word.text),
  };
}

describe('assignWords', () => {
  it('fills options by position and names the next one', () => {
    expect(assign('20')).toMatchObject({ given: { sides: '20' }, next: 'loud' });
    expect(assign('')).toMatchObject({ given: {}, next: 'sides' });
  });

  it('gives the rest of the line to a last string', () => {
    const result = assign('20 true as loud as  you can ');
    expect(result.given).toEqual({ sides: '20', loud: 'true', note: 'as loud as  you can' });
    expect(result.places[2]).toBe('as loud as  you can');
    expect(result.next).toBeNull();
  });

  it('takes values by name in every form', () => {
    expect(assign('--sides 20 --loud').given).toEqual({ sides: '20', loud: 'true' });
    expect(assign('--sides=20 --no-loud').given).toEqual({ sides: '20', loud: 'false' });
    expect(assign('loud:true 6').given).toEqual({ loud: 'true', sides: '6' });
    expect(assign('note:"two words" 6').given).toEqual({ note: 'two words', sides: '6' });
  });

  it.each([
    // Names after dashes count in any case, and phones make one long dash of two.
    ['--Sides 20', { sides: '20' }],
    ['—sides 20 —loud', { sides: '20', loud: 'true' }],
    // Of a name before a colon the case counts: it may be a text.
    ['Sides:20', { sides: 'Sides:20' }],
    // A flag takes only these two words.
    ['--loud false 6', { loud: 'false', sides: '6' }],
    ['--loud TRUE 6', { loud: 'TRUE', sides: '6' }],
    ['--loud 6', { loud: 'true', sides: '6' }],
    ['--loud "false"', { loud: 'true', sides: 'false' }],
    // The name of the next option is no value.
    ['--sides --loud', { sides: '', loud: 'true' }],
    // A colon before a blank is a colon.
    ['sides: 20', { sides: 'sides:', loud: '20' }],
    // A name ends where the word does.
    ['--sides.x', { sides: '--sides.x' }],
    ['--no-loud=1', { sides: '--no-loud=1' }],
    // A last text takes the rest after its name as well, or one quoted text.
    ['--note two words', { note: 'two words' }],
    ['--note=two words 6', { note: 'two words 6' }],
    ['note:two  words', { note: 'two  words' }],
    ['--note "two words" 6', { note: 'two words', sides: '6' }],
    ['--note="two words" 6', { note: 'two words', sides: '6' }],
    ['note:«two words» 6', { note: 'two words', sides: '6' }],
    ['--note --loud', { note: '--loud' }],
    [`6 true 'tis the season`, { sides: '6', loud: 'true', note: `'tis the season` }],
  ])('gives the words of %s as the bot does', (line, given) => {
    const result = assign(line);
    expect(result.given).toEqual(given);
    expect(result.surplus).toEqual([]);
  });

  it('gives every word to one option or to none', () => {
    const word = fc.constantFrom(
      'a',
      '20',
      '--loud',
      '--sides',
      'note:',
      'note:x',
      '"q r"',
      '--x',
      "'t",
    );
    const property = fc.property(fc.array(word, { maxLength: 8 }), (parts) => {
      const line = parts.join(' ');
      const { given, surplus, next } = assignWords(options, splitWords(line), line);
      const names = given.map((value) => value.option.name);
      expect(new Set(names).size).toBe(names.length);
      expect(names).not.toContain(next?.name);
      const taken = [...given, ...surplus].toSorted((a, b) => a.start - b.start);
      for (const [index, value] of taken.entries()) {
        expect(value.start).toBeLessThanOrEqual(value.end);
        expect(value.start).toBeGreaterThanOrEqual(taken[index - 1]?.end ?? 0);
      }
    });
    fc.assert(property, { numRuns: 500, seed: 20 });
  });

  it('shows where a named value stands, without its name', () => {
    expect(assign('--sides=20 loud:true').places).toEqual(['20', 'true']);
  });

  it('leaves names that are not declared, and addresses, as text', () => {
    const list = [option('https'), option('rest')];
    expect(assign('https://a.b --other=1', list).given).toEqual({
      https: 'https://a.b',
      rest: '--other=1',
    });
  });

  it('takes a quoted word for text even when it looks like a name', () => {
    expect(assign('"--loud"').given).toEqual({ sides: '--loud' });
  });

  it('waits for the value of a name that ends the line', () => {
    expect(assign('--sides')).toMatchObject({ given: { sides: '' }, next: 'loud' });
  });

  it('reports words that no option takes', () => {
    expect(assign('1 2 3', options.slice(0, 2)).surplus).toEqual(['3']);
    expect(assign('1', []).surplus).toEqual(['1']);
  });
});
