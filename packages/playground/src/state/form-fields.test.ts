import { describe, expect, it } from 'vitest';
import { ADA, DJ, GENERAL, GRACE } from '../../test/sample-world.js';
import {
  fieldOfOption,
  fieldsOfSchema,
  givenValues,
  namesOf,
  payloadOf,
  typeText,
  type FormField,
  type PayloadSchema,
} from './form-fields.js';

const NAMEABLE = { users: [ADA, GRACE], channels: [GENERAL], roles: [DJ], files: [] };

describe('fieldOfOption', () => {
  it.each<[type: string, description: string, required: boolean, facts: string, field: object]>([
    [
      'string',
      'Prize (1-200 characters)',
      true,
      'string, 1 to 200',
      { description: 'Prize', maxLength: 200 },
    ],
    [
      'string',
      'Prize (at most 9 characters)',
      false,
      'string, at most 9, optional',
      { maxLength: 9 },
    ],
    ['string', 'Prize (if any)', true, 'string', { description: 'Prize (if any)' }],
    ['string', 'Text', true, 'string', { description: '' }],
    [
      'string',
      'When (1h|1d, default 1h)',
      false,
      'enum, default 1h',
      { enum: ['1h', '1d'], default: '1h' },
    ],
    ['string', 'Month (January|February|Mar…)', true, 'string', { enum: undefined }],
    [
      'integer',
      'Winners (1-5, default 2)',
      false,
      'integer, 1 to 5, default 2',
      { minimum: 1, maximum: 5 },
    ],
    ['integer', 'Offset (-5 to 5)', true, 'integer, -5 to 5', { minimum: -5, maximum: 5 }],
    ['number', 'Part (at least 0.5)', true, 'number, at least 0.5', { minimum: 0.5 }],
    ['boolean', 'Loud (default true)', false, 'boolean, default true', { default: true }],
    ['boolean', 'Loud', true, 'boolean', { initial: 'no' }],
    [
      'user',
      'Host (default you)',
      false,
      'user, default you',
      { names: { '@ada': 'Ada', '@grace': 'Grace' } },
    ],
    ['channel', 'Where', true, 'channel', { names: { '#general': '#general' } }],
    ['attachment', 'What', true, 'attachment', { names: undefined }],
  ])('reads an option of type %s: %s', (type, description, required, facts, expected) => {
    const field = fieldOfOption({ name: 'it', type, description, required }, NAMEABLE);
    expect(field).toMatchObject(expected);
    expect(typeText(field)).toBe(facts);
  });
});

describe('fieldsOfSchema', () => {
  const text = { type: 'string' };
  /** The schema that zod writes. */
  const schema: PayloadSchema = {
    properties: {
      channelId: text,
      user: text,
      text: { ...text, maxLength: 20 },
      repeat: { type: 'string', enum: ['once', 'daily'], default: 'once' },
      size: { type: 'number', enum: [1, 2] },
      times: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      offset: {
        type: 'integer',
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
      },
      loud: { type: 'boolean' },
      tags: { type: 'array' },
      note: {},
    },
    required: ['channelId', 'user', 'text', 'loud', 'tags', 'note'],
  };
  const fields: readonly FormField[] = fieldsOfSchema(schema, namesOf(NAMEABLE), {
    text: 'tea',
    tags: ['a'],
  });

  it('has a field for each property, with the latest values', () => {
    expect(fields).toMatchObject([
      { name: 'channelId', type: 'channel', names: { [GENERAL.id]: 'general' } },
      { name: 'user', names: { [ADA.id]: 'Ada', [GRACE.id]: 'Grace' } },
      { name: 'text', type: 'string', maxLength: 20, initial: 'tea' },
      { name: 'repeat', enum: ['once', 'daily'], isOptional: true },
      { name: 'size', enum: [1, 2] },
      { name: 'times', minimum: 1, maximum: undefined },
      { name: 'offset', minimum: undefined, maximum: undefined },
      { name: 'loud', type: 'boolean', isOptional: false },
      { name: 'tags', type: 'array', initial: '["a"]' },
      { name: 'note', type: 'json' },
    ]);
  });

  it('reads the values back as a payload, without optional ones that are empty', () => {
    const values = { channelId: GENERAL.id, user: ADA.id, loud: 'yes', note: 'null' };
    expect(payloadOf(fields, givenValues(fields, values))).toEqual({
      channelId: GENERAL.id,
      user: ADA.id,
      text: 'tea',
      loud: true,
      tags: ['a'],
      note: null,
    });
    const more = { ...values, tags: '[]', repeat: 'daily', times: '3', size: '2' };
    expect(payloadOf(fields, more)).toMatchObject({ repeat: 'daily', times: 3, size: 2 });
    expect(() => payloadOf(fields, { ...values, tags: '[' })).toThrow('tags is not JSON.');
  });
});
