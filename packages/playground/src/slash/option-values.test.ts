import { describe, expect, it } from 'vitest';
import type { CommandOption } from '@virgule/core/protocol';
import { ADA, DJ, EMPTY, GENERAL, GRACE, LINUS } from '../../test/sample-world.js';
import { checkValue, readFacts, suggestValues } from './option-values.js';

const option = (type: string): CommandOption => ({
  name: 'it',
  type,
  required: false,
  description: '',
});
describe('readFacts', () => {
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
    const facts = readFacts({ ...option('string'), description });
    expect(facts).toMatchObject({ choices, defaultChoice, isNamed: false });
  });

  it.each([
    ['string', 'When (duration, at most 10m)', 'duration', undefined, false],
    ['string', 'Room (id)', 'uuid', undefined, false],
    ['string', 'Month (January|February|Mar…)', 'text', undefined, false],
    ['string', 'Format (--it, png|svg, default png)', 'text', ['png', 'svg'], true],
    ['string', 'Note (--its)', 'text', undefined, false],
    ['integer', 'Size (--it, 1-9)', 'integer', undefined, true],
    ['boolean', 'Loud', 'boolean', undefined, true],
  ])(
    'reads how the bot assigns words to an option of type %s: %s',
    (...[type, description, kind, choices, isNamed]) => {
      expect(readFacts({ ...option(type), description })).toMatchObject({
        expected: { kind, choices },
        isNamed,
      });
    },
  );
});

const nameable = { users: [ADA, GRACE, LINUS], channels: [GENERAL, EMPTY], roles: [DJ], files: [] };
const inserts = (type: string, typed: string) =>
  suggestValues(option(type), typed, nameable).map((value) => value.insert);

describe('suggestValues', () => {
  it('offers true and false', () => {
    expect(inserts('boolean', '')).toEqual(['true', 'false']);
    expect(inserts('boolean', 'f')).toEqual(['false']);
  });

  it('offers users by name, with or without the sign', () => {
    expect(inserts('user', '')).toEqual(['@ada', '@grace', '@linus']);
    expect(inserts('mentionable', '@gr')).toEqual(['@grace']);
    expect(inserts('user', 'in')).toEqual(['@linus']);
  });

  it('offers channels', () => {
    expect(inserts('channel', '#e')).toEqual(['#empty', '#general']);
  });

  it('offers roles, and both where a user or a role can be', () => {
    expect(inserts('role', '')).toEqual(['@dj']);
    expect(inserts('mentionable', '')).toEqual(['@ada', '@grace', '@linus', '@dj']);
    expect(inserts('mentionable', '@d')).toEqual(['@dj', '@ada']);
  });

  it('offers the choices in the description, quoted where they need it', () => {
    const city = { ...option('string'), description: 'City (New York|Berlin, default Berlin)' };
    const values = suggestValues(city, '', nameable);
    expect(values.map(({ insert }) => insert)).toEqual(['"New York"', 'Berlin']);
    expect(values.map(({ detail }) => detail)).toEqual(['', 'default']);
    expect(suggestValues(city, '"new', nameable)).toMatchObject([{ label: 'New York' }]);
    expect(suggestValues(city, 'york', nameable)).toMatchObject([{ label: 'New York' }]);
  });

  it('offers nothing for free values', () => {
    for (const type of ['string', 'integer', 'number', 'attachment', 'unknown']) {
      expect(inserts(type, '')).toEqual([]);
    }
  });
});

describe('checkValue', () => {
  it.each([
    ['integer', '20', null],
    ['integer', '-3', null],
    ['integer', '2.5', 'it must be a whole number'],
    // Values in the form that the bot reads.
    ['integer', '1e3', null],
    ['integer', '9007199254740993', 'it must be a whole number'],
    ['number', '0x10', 'it must be a number'],
    ['number', '2.5', null],
    ['number', 'many', 'it must be a number'],
    ['boolean', 'yes', null],
    ['boolean', 'perhaps', 'it must be true or false'],
    ['string', 'anything', null],
  ])('says of the %s %j: %s', (type, text, problem) => {
    expect(checkValue(option(type), text)).toBe(problem);
  });
});
