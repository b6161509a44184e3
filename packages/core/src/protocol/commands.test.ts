import { describe, expect, it } from 'vitest';
import { readFixtureObject } from '../../test/read-fixture.js';
import {
  OPTION_TYPES,
  commandSchema,
  readCommandSchema,
  syncCommandItemSchema,
  syncCommandsRequestSchema,
} from './commands.js';
import { DESCRIPTION_MAX_LENGTH, NAME_PATTERN } from './limits.js';

// From the Bot Interface, "Command".
const SPEC_OPTION_TYPES =
  'string, integer, number, boolean, user, channel, role, mentionable, attachment'.split(', ');

const option = { name: 'url', description: 'Track URL', type: 'string', required: true };
const item = { name: 'play', description: 'Play a track in voice', options: [option] };

/** Returns the invalid fields of a sync of one command; empty if the sync is valid. */
function refusals(command: object): string[] {
  const { error } = syncCommandsRequestSchema.safeParse({ commands: [command] });
  return error?.issues.map(({ path }) => path.join('.')) ?? [];
}

describe('OPTION_TYPES', () => {
  it('are the nine of the document', () => {
    expect(OPTION_TYPES).toEqual(SPEC_OPTION_TYPES);
  });
});

describe('syncCommandsRequestSchema', () => {
  it('accepts an empty set', () => {
    expect(syncCommandsRequestSchema.parse({ commands: [] })).toStrictEqual({ commands: [] });
  });

  it.each(SPEC_OPTION_TYPES)('accepts an option of type %s', (type) => {
    expect(refusals({ ...item, options: [{ ...option, type }] })).toEqual([]);
  });

  it.each(['', 'String', 'int', 'file', 3, null])('rejects an option of type %j', (type) => {
    expect(refusals({ ...item, options: [{ ...option, type }] })).toEqual([
      'commands.0.options.0.type',
    ]);
  });

  it.each(['name', 'description', 'type', 'required'])('rejects an option without %s', (key) => {
    const { [key]: _removed, ...rest }: Record<string, unknown> = option;
    expect(refusals({ ...item, options: [rest] })).toEqual([`commands.0.options.0.${key}`]);
  });

  it.each(['a', '7', 'play', 'admin-ban', 'a_b', 'x'.repeat(32)])('takes the name %j', (name) => {
    expect(NAME_PATTERN.test(name)).toBe(true);
    expect(refusals({ ...item, name, options: [{ ...option, name }] })).toEqual([]);
  });

  it.each([
    '',
    'Play',
    '-play',
    '_play',
    'play!',
    'pl ay',
    '/play',
    'přehraj',
    'play\n',
    'x'.repeat(33),
  ])('rejects the name %j', (name) => {
    expect(NAME_PATTERN.test(name)).toBe(false);
    expect(refusals({ ...item, name })).toEqual(['commands.0.name']);
    expect(refusals({ ...item, options: [{ ...option, name }] })).toEqual([
      'commands.0.options.0.name',
    ]);
  });

  it('takes descriptions of 1 to 100 characters', () => {
    expect(DESCRIPTION_MAX_LENGTH).toBe(100);
    for (const description of ['x', 'x'.repeat(100)]) {
      expect(refusals({ ...item, description, options: [{ ...option, description }] })).toEqual([]);
    }
    for (const description of ['', 'x'.repeat(101)]) {
      expect(refusals({ ...item, description })).toEqual(['commands.0.description']);
      expect(refusals({ ...item, options: [{ ...option, description }] })).toEqual([
        'commands.0.options.0.description',
      ]);
    }
  });

  it('reports all problems at once', () => {
    expect(
      refusals({ name: 'Play', description: '', options: [{ ...option, type: 'file' }] }),
    ).toEqual(['commands.0.name', 'commands.0.description', 'commands.0.options.0.type']);
  });

  it('needs the list of options even when it is empty', () => {
    const { options: _options, ...rest } = item;
    expect(syncCommandItemSchema.safeParse(rest).success).toBe(false);
    expect(syncCommandItemSchema.safeParse({ ...rest, options: [] }).success).toBe(true);
  });
});

describe('commandSchema', () => {
  it('reads names and types that a sync would refuse, so that a foreign command can be listed', () => {
    const command = {
      ...readFixtureObject('command'),
      name: 'Přehraj něco',
      description: '',
      options: [{ ...option, name: 'Kde?', type: 'date' }],
    };
    expect(commandSchema.parse(command)).toStrictEqual(command);
  });
});

describe('readCommandSchema', () => {
  const command = readFixtureObject('command');
  const first = { name: 'url', type: 'string' };

  it('reads what the document states as it is', () => {
    expect(readCommandSchema.parse(command)).toStrictEqual(commandSchema.parse(command));
  });

  it.each<readonly [string, object, string]>([
    ['without `required`', { description: 'Track URL' }, 'Track URL'],
    ['without a description', { required: false }, ''],
    ['with null in both', { description: null, required: null }, ''],
  ])('reads an option %s', (_, rest, description) => {
    const { options } = readCommandSchema.parse({ ...command, options: [{ ...first, ...rest }] });
    expect(options).toEqual([{ ...first, description, required: false }]);
  });

  it.each([
    ['options: null', { options: null }, { options: [] }],
    ['no description', { description: undefined }, { description: '' }],
    ['a date in another form', { createdAt: '2026-01-01 10:00:00' }, {}],
    ['a date that is no string', { createdAt: 1_770_142_800 }, { createdAt: '' }],
    ['an id in another form', { id: 'cmd-7' }, {}],
  ])('reads %s', (_, change, read) => {
    expect(readCommandSchema.parse({ ...command, ...change })).toEqual({
      ...command,
      ...change,
      ...read,
    });
  });

  it.each([
    ['no name', { name: undefined }],
    ['options that are no list', { options: 'url' }],
    ['an option without a type', { options: [{ ...first, type: undefined }] }],
  ])('refuses %s: it cannot be compared', (_, change) => {
    expect(readCommandSchema.safeParse({ ...command, ...change }).success).toBe(false);
  });
});
