import { createRequire } from 'node:module';
import { OPTION_TYPES } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod/v3';
import { option } from './option.js';
import type { OptionSpec } from './option-spec.js';
import { toWireOptions } from '../command/define/command.js';
import { readOptions } from './read-options.js';

const file = 'commands/x.ts';

function readOne(field: z.ZodType): OptionSpec {
  const { spec, problems } = readOptions(z.object({ it: field }), { file });
  expect(problems).toEqual([]);
  const [only] = spec.options;
  if (!only) throw new Error('expected one option');
  return only;
}

/** The problem of an option, as code, message and hint in one text. */
function problemOf(field: z.ZodType): string {
  const { problems } = readOptions(z.object({ it: field }), { file });
  expect(problems).toHaveLength(1);
  return `${problems[0]?.code}: ${problems[0]?.message} ${problems[0]?.hint}`;
}

describe('readOptions', () => {
  it('reads a schema of zod/mini like the same one of zod', () => {
    const kind = ['a', 'b'] as const;
    const small = mini.object({
      n: mini.int().check(mini.gte(1), mini.describe('How many')),
      who: mini.optional(option.user()),
      kind: mini._default(mini.enum(kind), 'a'),
    });
    const usual = z.object({
      n: z.int().min(1).describe('How many'),
      who: option.user().optional(),
      kind: z.enum(kind).default('a'),
    });
    const wire = (schema: unknown) => toWireOptions(readOptions(schema, { file }).spec);
    expect(wire(small)).toEqual(wire(usual));
    expect(readOptions(small, { file }).problems).toEqual([]);
  });

  it.each<[string, z.ZodType, string, string]>([
    ['z.string()', z.string(), 'string', 'Text'],
    ['z.int()', z.int(), 'integer', 'Whole number'],
    ['z.int32()', z.int32(), 'integer', 'Whole number'],
    ['z.number()', z.number(), 'number', 'Number'],
    ['z.number().int()', z.number().int(), 'integer', 'Whole number'],
    ['z.coerce.number()', z.coerce.number(), 'number', 'Number'],
    ['z.boolean()', z.boolean(), 'boolean', 'Yes or no'],
    ['z.stringbool()', z.stringbool(), 'boolean', 'Yes or no'],
    ['z.literal(true)', z.literal(true), 'boolean', 'Yes or no'],
    ['z.enum', z.enum(['a', 'b']), 'string', 'Text (a|b)'],
    ['z.enum of numbers', z.enum({ A: 1, B: 2 }), 'integer', 'Whole number (1|2)'],
    ['z.literal of texts', z.literal(['a', 'b']), 'string', 'Text (a|b)'],
    ['z.literal of numbers', z.literal([0.5, 1]), 'number', 'Number (0.5|1)'],
    ['a union of literals', z.union([z.literal('a'), z.literal(2)]), 'string', 'Text (a|2)'],
    ['a union of texts', z.union([z.url(), z.uuid()]), 'string', 'Text'],
    ['a union of numbers', z.union([z.int(), z.number()]), 'number', 'Number'],
    ['z.url()', z.url(), 'string', 'Text'],
    ['z.uuid()', z.uuid(), 'string', 'Text'],
    ['z.iso.date()', z.iso.date(), 'string', 'Text'],
    ['z.templateLiteral', z.templateLiteral(['v', z.number()]), 'string', 'Text'],
    ['a transform', z.string().transform(Number), 'string', 'Text'],
    ['a pipe', z.string().pipe(z.coerce.number()), 'string', 'Text'],
    [
      'a codec',
      z.codec(z.string(), z.number(), { decode: Number, encode: String }),
      'string',
      'Text',
    ],
    ['z.lazy', z.lazy(() => z.int()), 'integer', 'Whole number'],
    [
      'an intersection',
      z.string().and(z.string().min(3)),
      'string',
      'Text (at least 3 characters)',
    ],
    ['a brand', z.string().brand('x'), 'string', 'Text'],
    ['a named schema', z.int().meta({ id: 'read-options-named' }), 'integer', 'Whole number'],
    [
      'a custom type that says what it is',
      z.custom().meta({ optionType: 'integer' }),
      'integer',
      'Whole number',
    ],
    ['option.user()', option.user(), 'user', 'User'],
    ['option.channel()', option.channel(), 'channel', 'Channel'],
    ['option.role()', option.role(), 'role', 'Role'],
    ['option.mentionable()', option.mentionable(), 'mentionable', 'User or role'],
    ['option.attachment()', option.attachment(), 'attachment', 'Attachment'],
    ['option.rest()', option.rest(), 'string', 'Text'],
    ['option.duration()', option.duration(), 'string', 'Text'],
  ])('sends %s as its type', (_, field, type, description) => {
    expect(readOne(field)).toMatchObject({ type, required: true, description });
    expect(readOne(field.optional())).toMatchObject({ type, required: false, description });
    expect(readOne(field.nullable())).toMatchObject({
      type,
      required: false,
      absentAs: 'null',
    });
    expect(readOne(field.describe('What it is'))).toMatchObject({
      type,
      description: expect.stringMatching(/^What it is/),
    });
    expect(readOne(field.describe('What it is').optional().readonly())).toMatchObject({
      description: expect.stringMatching(/^What it is/),
    });
  });

  it.each<[string, z.ZodType]>([
    ['optional', z.int().optional()],
    ['with a default', z.int().default(3)],
    ['with a default before the checks', z.string().prefault('a')],
    ['nullish', z.int().nullish()],
    ['caught', z.int().catch(3)],
    ['nullable', z.int().nullable()],
  ])('does not require what is %s', (_, field) => {
    expect(readOne(field).required).toBe(false);
  });

  it('reads what follows a preprocess', () => {
    const field = z.preprocess((value) => value, z.int().min(1));
    expect(readOne(field)).toMatchObject({ type: 'integer', required: true });
  });

  it('carries all nine types of the platform', () => {
    const fields = [
      z.string(),
      z.int(),
      z.number(),
      z.boolean(),
      option.user(),
      option.channel(),
      option.role(),
      option.mentionable(),
      option.attachment(),
    ];
    expect(fields.map((field) => readOne(field).type)).toEqual([...OPTION_TYPES]);
  });

  it.each<[string, z.ZodType, string]>([
    ['a range', z.int().min(2).max(6).describe('Faces'), 'Faces (2-6)'],
    ['half a range', z.number().gt(0).describe('Size'), 'Size (above 0)'],
    ['a length', z.string().min(2).max(8).describe('Name'), 'Name (2-8 characters)'],
    ['choices', z.enum(['png', 'svg']).describe('Form'), 'Form (png|svg)'],
    ['a default', z.int().default(6).describe('Faces'), 'Faces (default 6)'],
    ['a yes as default', z.boolean().default(true).describe('Loud'), 'Loud (default true)'],
    ['range and default', z.int().min(1).max(9).default(3), 'Whole number (1-9, default 3)'],
    ['choices of several lines', z.enum(['a\nb', ' c']), 'Text (a b| c)'],
    ['choices and default', z.enum(['a', 'b']).default('a'), 'Text (a|b, default a)'],
  ])('says %s at the end of the description', (_, field, description) => {
    expect(readOne(field).description).toBe(description);
  });

  it('cuts a long description to the limit, keeps what is at its end, and warns', () => {
    const field = z.int().min(1).max(9).default(3).describe('word '.repeat(40));
    const where = { file, source: 'options: {\n  it: x }' };
    const { spec, warnings } = readOptions(z.object({ it: field }), where);
    const [sent] = spec.options;
    expect(sent?.description).toHaveLength(100);
    expect(sent?.description).toMatch(/^word word .*… \(1-9, default 3\)$/);
    expect(warnings).toMatchObject([
      { code: 'E_DESCRIPTION_CUT', location: { file, line: 2, column: 3 } },
    ]);
    expect(warnings[0]?.message).toContain('does not fit into 100 characters');
  });

  it.each([
    ['', 'Number'],
    ['  white \n space ', 'white space'],
    ['x'.repeat(100), 'x'.repeat(100)],
  ])('has nothing to say of the description %j, which fits', (text, sent) => {
    const { spec, warnings } = readOptions(z.object({ it: z.number().describe(text) }), { file });
    expect(spec.options[0]?.description).toBe(sent);
    expect(warnings).toEqual([]);
  });

  it('returns null only for what is nullable and not optional', () => {
    expect(readOne(z.int().nullish()).absentAs).toBeUndefined();
    expect(readOne(z.int().nullable().default(1)).absentAs).toBeUndefined();
  });

  it('keeps the settings of an option when checks are added to it', () => {
    expect(readOne(option.rest().max(100).optional())).toMatchObject({ take: 'raw' });
    expect(readOne(option.user().refine(() => true))).toMatchObject({ type: 'user' });
    expect(readOne(option.duration().refine((ms) => ms < 5))).toMatchObject({
      expected: { kind: 'duration' },
    });
  });

  it('lets only a last plain text take the rest of the line', () => {
    const takes = (schema: z.ZodType): string[] =>
      readOptions(schema, { file }).spec.options.map(({ take }) => take);
    expect(takes(z.object({ a: z.string(), b: z.string() }))).toEqual(['word', 'rest']);
    expect(takes(z.object({ a: z.string(), b: z.int() }))).toEqual(['word', 'word']);
    for (const field of [
      z.url(),
      z.enum(['a', 'b']),
      z.stringbool(),
      option.duration(),
      option.user(),
    ]) {
      expect(takes(z.object({ a: field }))).toEqual(['word']);
    }
    expect(
      takes(
        z.object({
          a: z
            .string()
            .min(2)
            .transform((text) => text.length),
        }),
      ),
    ).toEqual(['rest']);
    expect(takes(z.object({ a: z.string().meta({ optionTake: 'word' }) }))).toEqual(['word']);
    expect(takes(z.object({ a: option.rest() }))).toEqual(['raw']);
  });

  it.each<[string, z.ZodType]>([
    ['startsWith', z.string().startsWith('https://')],
    ['endsWith', z.string().endsWith('!')],
    ['includes', z.string().includes('a').min(2)],
    ['lowercase', z.string().lowercase()],
    ['uppercase', z.string().uppercase()],
    ['regex', z.string().regex(/a/)],
    ['trim', z.string().trim()],
  ])('treats %s as a check of a string, not as a format', (_, field) => {
    expect(readOne(field)).toMatchObject({
      take: 'rest',
      expected: { text: expect.stringMatching(/^text( of at least 2 characters)?$/) },
    });
  });

  it.each<[string, z.ZodType, string]>([
    ['a check after it', z.url().startsWith('https://'), 'a URL'],
    ['a check before it', z.string().startsWith('a').email(), 'an email address'],
    ['a name that JSON schemas do not have', z.iso.time(), 'a time like 18:30:00'],
    ['wrappers', z.guid().optional().readonly(), 'an id like'],
  ])('reads a format with %s', (_, field, expected) => {
    expect(readOne(field)).toMatchObject({
      take: 'word',
      expected: { text: expect.stringContaining(expected) },
    });
  });

  it('reads an optional boolean as a flag, which has no place in the order', () => {
    const takes = (schema: z.ZodType): string[] => {
      const { spec, problems } = readOptions(schema, { file });
      expect(problems).toEqual([]);
      return spec.options.map(({ name, take, named }) => `${name} ${named ? 'flag' : take}`);
    };
    const text = z.string();
    const loud = z.boolean().default(false);
    expect(takes(z.object({ loud, text }))).toEqual(['loud flag', 'text rest']);
    expect(takes(z.object({ text, loud }))).toEqual(['text rest', 'loud flag']);
    expect(takes(z.object({ loud: z.stringbool().optional() }))).toEqual(['loud flag']);
    expect(takes(z.object({ loud: z.boolean(), text }))).toEqual(['loud word', 'text rest']);
    expect(takes(z.object({ loud: z.literal(true).nullable() }))).toEqual(['loud flag']);
  });

  it('reads an option with { named: true } as one without a place in the order, and registers it last', () => {
    const schema = z.object({
      repeat: z.enum(['once', 'daily']).default('once').describe('How often').meta({ named: true }),
      tags: z.array(z.string()).meta({ named: true }).optional(),
      text: z.string(),
    });
    const { spec, problems, warnings } = readOptions(schema, { file });
    expect([problems, warnings]).toEqual([[], []]);
    expect(spec.options).toMatchObject([
      { named: true, take: 'word' },
      { named: true, take: 'word' },
      { named: undefined, take: 'rest' },
    ]);
    expect(toWireOptions(spec).map(({ name, description }) => `${name}: ${description}`)).toEqual([
      'text: Text',
      'repeat: How often (--repeat, once|daily, default once)',
      'tags: Values (--tags)',
    ]);
  });

  it.each<[string, z.ZodType, string]>([
    ['a duration', option.duration({ max: '1h' }).optional(), 'Text (duration, at most 1h)'],
    ['an id', z.uuid().optional(), 'Text (id)'],
    ['a message', option.message().optional(), 'Text (message)'],
  ])('registers the form of %s that may be skipped', (_, field, description) => {
    const { spec } = readOptions(z.object({ it: field, text: z.string().optional() }), { file });
    expect(spec.options[0]?.description).toBe(description);
    expect(readOne(field).description).not.toBe(description);
  });

  it('warns of an optional string before other options', () => {
    const warningsOf = (label: z.ZodType): unknown[] => {
      const schema = z.object({ url: z.url(), label, hooks: z.string().optional() });
      return [...readOptions(schema, { file }).warnings];
    };
    expect(warningsOf(z.string().optional())).toMatchObject([
      {
        code: 'E_OPTION_ORDER',
        message: `Option "label" of ${file} is optional text: without it, the word for "hooks" becomes "label".`,
      },
    ]);
    for (const label of [
      z.string(),
      z.string().optional().meta({ named: true }),
      z.enum(['a', 'b']).optional(),
      z.int().optional(),
      option.duration().optional(),
      option.channel().optional(),
    ])
      expect(warningsOf(label)).toEqual([]);
  });

  it('lets a last choice with a space take the rest of the line', () => {
    const city = z.enum(['New York', 'Berlin']);
    expect(readOne(city).take).toBe('rest');
    expect(readOne(z.enum(['a', 'b'])).take).toBe('word');
    const { spec } = readOptions(z.object({ city, days: z.int() }), { file });
    expect(spec.options.map(({ take }) => take)).toEqual(['word', 'word']);
  });

  it('accepts undefined for what the schema requires only as a key', () => {
    for (const field of [z.string().or(z.undefined()), z.undefined().or(z.int())]) {
      expect(readOne(field)).toMatchObject({ required: false, absentAs: 'undefined' });
    }
  });

  it('mentions no bounds that a number has by its type', () => {
    for (const field of [z.float64(), z.float32(), z.int32(), z.uint32(), z.int()]) {
      expect(readOne(field).description).toMatch(/^(Whole number|Number)$/);
    }
  });

  it.each<[string, z.ZodType, string, string]>([
    ['strings', z.array(z.string()).min(1).max(3), 'Values (1-3 values)', '1-3 values'],
    ['numbers', z.array(z.int().max(6)), 'Values (at most 6)', 'one or more values'],
    [
      'choices',
      z.array(z.enum(['a', 'b'])).max(2),
      'Values (a|b, at most 2 values)',
      'at most 2 values',
    ],
    ['users', z.array(option.user()).length(2), 'Values (2 values)', '2 values'],
  ])('reads a list of %s as the rest of the line', (_, field, description, expected) => {
    expect(readOne(field)).toMatchObject({ type: 'string', take: 'raw', input: 'list' });
    expect(readOne(field)).toMatchObject({
      description,
      expected: { text: expected },
      required: true,
    });
  });

  it('shows the default of a list as it is typed', () => {
    const field = z.array(z.int()).default([1, 2]);
    expect(readOne(field)).toMatchObject({ required: false, defaultText: '1 2' });
  });

  it('refuses an option after a list', () => {
    const schema = z.object({ tags: z.array(z.string()), count: z.int() });
    expect(readOptions(schema, { file }).problems).toMatchObject([{ code: 'E_OPTION_ORDER' }]);
  });

  it('has no options and no schema for a command without any', () => {
    expect(readOptions(undefined, { file })).toEqual({
      spec: { options: [], schema: null },
      problems: [],
      warnings: [],
    });
    expect(readOptions(z.object({}), { file }).spec.schema).toBeNull();
  });

  it('reads objects that check themselves or are strict', () => {
    const schema = z.strictObject({ a: z.int() }).refine(() => true);
    expect(readOptions(schema, { file }).spec).toMatchObject({ options: [{ name: 'a' }], schema });
  });

  it('reads schemas made by another copy of zod', () => {
    // The CommonJS form of the package is another copy in the same process.
    const other = createRequire(import.meta.url)('zod') as { z: typeof z };
    expect(other.z).not.toBe(z);
    const schema = other.z.object({
      a: other.z.int().min(2).max(6).default(3).describe('Faces'),
      b: other.z.stringbool().optional(),
      c: option.user().optional(),
      d: other.z.string().meta({ optionTake: 'raw' }).optional(),
    });
    const { spec, problems } = readOptions(schema, { file });
    expect(problems).toEqual([]);
    expect(spec.options).toMatchObject([
      { name: 'a', type: 'integer', description: 'Faces (2-6, default 3)' },
      { name: 'b', type: 'boolean' },
      { name: 'c', type: 'user' },
      { name: 'd', take: 'raw' },
    ]);
  });

  it('sees async functions ahead of time', () => {
    const isAsync = (field: z.ZodType): boolean | undefined =>
      readOptions(z.object({ a: field }), { file }).spec.isAsync;
    expect(isAsync(z.string().refine(async () => true))).toBe(true);
    expect(
      isAsync(
        z
          .string()
          .transform(async (text) => text)
          .optional(),
      ),
    ).toBe(true);
    expect(isAsync(z.union([z.url(), z.string().refine(async () => true)]))).toBe(true);
    expect(isAsync(z.string().refine(() => true))).toBe(false);
    const object = z.object({ a: z.string() }).refine(async () => true);
    expect(readOptions(object, { file }).spec.isAsync).toBe(true);
  });
});

describe('readOptions, with a default', () => {
  const fail = (): never => {
    throw new Error('boom');
  };
  // Such a function may need what is not there yet, such as a service.
  it.each<[string, z.ZodType]>([
    ['.refine()', z.string().refine(fail)],
    ['.superRefine()', z.string().superRefine(fail)],
    ['.check()', z.string().check(fail)],
    ['.transform()', z.string().transform(fail)],
    ['.max() with a function as its message', z.string().max(0, { error: fail })],
    ['z.custom()', z.custom(fail).meta({ optionType: 'string' })],
  ])('does not call the function of %s', (_, it) => {
    const options = z.object({ it: it.default('a') });
    expect(readOptions(options, { file })).toMatchObject({ problems: [], warnings: [] });
  });
});

describe('readOptions, with invalid input', () => {
  it.each<[string, unknown, string]>([
    ['a string', 'no', 'saw "no"'],
    ['null', null, 'saw null'],
    ['a list', [], 'saw an array'],
    ['a list of schemas', [z.string()], 'saw an array'],
    ['a function', () => ({}), 'saw a function'],
    ['an array schema', z.array(z.string()), 'saw a zod array'],
    ['a string schema', z.string(), 'saw a zod string'],
    ['an object with a transform', z.object({}).transform(() => 1), 'saw a zod pipe'],
    ['an optional object', z.object({}).optional(), 'saw a zod optional'],
    ['a union of objects', z.union([z.object({}), z.object({})]), 'saw a zod union'],
    ['a plain object of schemas', { a: z.string() }, 'saw a plain object of schemas'],
    ['a plain object', { a: 'string' }, 'saw an object'],
    ['a zod 3 object', z3.object({ a: z3.string() }), 'saw a schema of zod 3'],
    ['something that pretends', { _zod: 5 }, 'saw a schema without a definition'],
  ])('refuses %s as options', (_, schema, saw) => {
    const { spec, problems } = readOptions(schema, { file });
    expect(spec).toEqual({ options: [], schema: null });
    expect(problems).toMatchObject([{ code: 'E_OPTION_TYPE', location: { file } }]);
    expect(problems[0]?.message).toContain(saw);
    expect(problems[0]?.hint).toBeTruthy();
  });

  it('says what to do in place of an object that is wrapped', () => {
    const hint = (schema: unknown): string | undefined =>
      readOptions(schema, { file }).problems[0]?.hint;
    expect(hint(z.object({}).transform(() => 1))).toContain('on the single options');
    expect(hint({ a: z.string() })).toContain('z.object');
    expect(hint(z3.object({}))).toContain('npm install zod@4');
  });

  it.each<[string, z.ZodType, string, string]>([
    ['z.coerce.boolean()', z.coerce.boolean(), '"false" is true', 'z.boolean()'],
    [
      'a coerced boolean further on',
      z.string().pipe(z.coerce.boolean()),
      '"false" is true',
      'z.boolean()',
    ],
    ['a coerced boolean inside', z.coerce.boolean().optional(), '"false" is true', 'z.boolean()'],
    ['z.date()', z.date(), 'a date', 'z.iso.date()'],
    ['z.coerce.date()', z.coerce.date().default(new Date(0)), 'a date', 'z.iso.date()'],
    [
      'a date behind a preprocess',
      z.preprocess((value) => value, z.date()),
      'a date',
      'z.iso.date()',
    ],
    ['z.object', z.object({ a: z.string() }), 'an object', 'each of its keys an option'],
    [
      'z.object with a transform',
      z.object({}).transform(() => 1),
      'an object',
      'each of its keys an option',
    ],
    ['z.record', z.record(z.string(), z.string()), 'a record', 'each of its keys an option'],
    ['a list of objects', z.array(z.object({})), 'a list of values', 'z.array(z.string())'],
    ['a list of lists', z.array(z.array(z.string())), 'a list of values', 'z.array(z.string())'],
    ['a list of dates', z.array(z.date()), 'a date', 'z.iso.date()'],
    ['a union of lists', z.union([z.array(z.int()), z.array(z.string())]), 'a union', 'one type'],
    ['z.tuple', z.tuple([z.string()]).optional(), 'a tuple', 'z.array(z.string())'],
    ['z.set', z.set(z.string()), 'a set', 'z.array(z.string())'],
    ['z.map', z.map(z.string(), z.string()), 'a map', 'each of its keys an option'],
    ['z.bigint', z.bigint(), 'a bigint', 'z.int()'],
    ['z.file', z.file(), 'a file', 'option.attachment()'],
    ['z.any', z.any(), '"any"', 'Name a type'],
    ['z.unknown', z.unknown(), '"unknown"', 'Name a type'],
    ['z.custom', z.custom(), '"custom"', 'optionType'],
    ['z.null', z.null(), '"null"', 'Name a type'],
    ['z.symbol', z.symbol(), '"symbol"', 'Name a type'],
    ['z.never', z.never(), '"never"', 'Name a type'],
    [
      'a union of a text and a number',
      z.union([z.string(), z.int()]),
      'a union of different types',
      'one type',
    ],
    [
      'a union of objects',
      z.union([z.object({ a: z.int() }), z.object({})]),
      'a union',
      'one type',
    ],
    ['a union of a number and a word', z.union([z.int(), z.literal('max')]), 'a union', 'one type'],
    ['a list of JSON types', z.any().meta({ type: ['string', 'number'] }), '"any"', 'Name a type'],
    [
      'what only looks like a schema',
      { _zod: null } as unknown as z.ZodType,
      'not a zod 4 schema',
      'zod@4',
    ],
    ['a schema of zod 3', z3.string() as unknown as z.ZodType, 'not a zod 4 schema', 'zod@4'],
  ])('refuses %s as an option', (_, field, saw, advice) => {
    const problem = problemOf(field);
    expect(problem).toContain('E_OPTION_TYPE: Option "it" of commands/x.ts is ');
    expect(problem).toContain(saw);
    expect(problem).toContain(advice);
  });

  it.each<[string, string, z.ZodType]>([
    ['z.coerce.boolean()', 'E_OPTION_TYPE', z.coerce.boolean()],
    ['z.date()', 'E_OPTION_TYPE', z.date()],
    ['a nested object', 'E_OPTION_TYPE', z.object({ a: z.string() })],
    ['a nested object with a transform', 'E_OPTION_TYPE', z.object({}).transform(String)],
    ['a union of objects', 'E_OPTION_TYPE', z.union([z.object({}), z.object({ a: z.int() })])],
    ['required, after an optional one', 'E_OPTION_ORDER', z.int()],
  ])('names line and column of a key that is %s', (_, code, field) => {
    const source = 'options: z.object({\n  first: z.int().optional(),\n    it: wrong,\n}),';
    const schema = z.object({ first: z.int().optional(), it: field });
    const { problems } = readOptions(schema, { file, source });
    const [problem] = problems.filter((found) => found.code === code);
    expect(problem?.location).toEqual({ file, line: 3, column: 5 });
  });

  it.each([
    ['a name that looks like an integer', '7'],
    ['a name the platform refuses', 'Größe'],
    ['a name that is too long', 'x'.repeat(33)],
  ])('names line and column of %s', (_, name) => {
    const source = `options: z.object({\n  '${name}': z.int(),\n}),`;
    const { problems } = readOptions(z.object({ [name]: z.int() }), { file, source });
    expect(problems).toMatchObject([
      { code: 'E_OPTION_NAME', location: { file, line: 2, column: 3 } },
    ]);
  });

  it.each<[string, z.ZodType]>([
    ['an object with .transform()', z.object({ a: z.int() }).transform(String)],
    ['a union of objects', z.union([z.object({ a: z.int() }), z.object({ b: z.int() })])],
    ['no object', z.string()],
  ])('names line and column of options that are %s', (_, schema) => {
    const source = 'export default {\n  options: z.object({ a: z.int() }),\n};';
    expect(readOptions(schema, { file, source }).problems).toMatchObject([
      { code: 'E_OPTION_TYPE', location: { file, line: 2, column: 3 } },
    ]);
  });

  it('refuses a schema that refers to itself', () => {
    type Node = { next?: Node | undefined };
    const node: z.ZodType<Node> = z.lazy(() => z.object({ next: node.optional() }));
    expect(problemOf(node)).toContain('E_OPTION_TYPE');
    const loop: z.ZodType = z.lazy(() => loop);
    expect(problemOf(loop)).toContain('E_OPTION_TYPE');
  });

  it('survives schemas that throw when they are looked at', () => {
    const fail = (): never => {
      throw new Error('boom');
    };
    expect(problemOf(z.string().default(fail))).toContain('cannot describe (boom)');
    expect(problemOf(z.lazy(fail))).toContain('boom');
    const object = z.object({
      get it() {
        return fail();
      },
    });
    expect(readOptions(object, { file }).problems).toMatchObject([
      { code: 'E_OPTION_TYPE', message: expect.stringContaining('boom') },
    ]);
  });

  it.each([
    ['_x', 'has a name the platform refuses', 'Use a unique name'],
    ['größe', 'has a name the platform refuses', 'Use a unique name'],
    ['two words', 'has a name the platform refuses', 'Use a unique name'],
    ['', 'has a name the platform refuses', 'Use a unique name'],
    ['x'.repeat(33), 'has a name the platform refuses', 'Use a unique name'],
    ['__proto__', 'has a name the platform refuses', 'Use a unique name'],
    ['constructor', 'every object has', 'Use a unique name'],
    ['valueOf', 'every object has', 'Use a unique name'],
    ['toString', 'every object has', 'Use a unique name'],
    ['1', 'is a whole number', 'Use a unique name'],
  ])('refuses the name "%s"', (name, why, hint) => {
    const { problems } = readOptions(z.object({ [name]: z.string() }), { file });
    expect(problems).toMatchObject([{ code: 'E_OPTION_NAME' }]);
    expect(problems[0]?.message).toContain(why);
    expect(problems[0]?.hint).toContain(hint);
  });

  it('registers keys in camel case under kebab-case names', () => {
    const schema = z.object({ maxCount: z.int(), 'min-count': z.int(), httpURL: z.url() });
    const { spec, problems } = readOptions(schema, { file });
    expect(problems).toEqual([]);
    expect(spec.options).toMatchObject([
      { key: 'maxCount', name: 'max-count' },
      { key: 'min-count', name: 'min-count' },
      { key: 'httpURL', name: 'http-url' },
    ]);
  });

  it('refuses two keys with the same name', () => {
    const schema = z.object({ maxCount: z.int(), 'max-count': z.int() });
    const { problems } = readOptions(schema, { file });
    expect(problems.map(({ message }) => message)).toEqual([
      `Option "max-count" of ${file} has the same name on the platform as "maxCount".`,
    ]);
  });

  it('takes names that only resemble numbers', () => {
    const schema = z.object({ '1st': z.string(), '2-3': z.string() });
    expect(readOptions(schema, { file }).problems).toEqual([]);
  });

  it('refuses a required option after an optional one', () => {
    const { problems } = readOptions(
      z.object({
        a: z.int(),
        b: z.int().default(1),
        c: z.int(),
        d: z.int().optional(),
        e: z.int(),
      }),
      { file },
    );
    expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'E_OPTION_ORDER Option "c" of commands/x.ts is required but comes after "b", which is optional.',
      'E_OPTION_ORDER Option "e" of commands/x.ts is required but comes after "b", which is optional.',
    ]);
    expect(problems[0]?.hint).toContain('Move "c" before "b"');
  });

  it.each([
    ['text', z.string()],
    ['a choice with spaces', z.enum(['New York', 'Berlin'])],
    ['a list', z.array(z.string())],
  ])('suggests a name for what is optional, before a required option that is %s', (_, text) => {
    const kind = z.enum(['todo', 'idea']).default('todo');
    const { problems } = readOptions(z.object({ kind, text }), { file });
    expect(problems.map(({ hint }) => hint)).toEqual([
      'Let users name "kind", with .meta({ named: true }): "text" takes the rest of the line.',
    ]);
    const followed = z.object({ kind: kind.meta({ named: true }), text });
    const { spec, ...found } = readOptions(followed, { file });
    expect(found).toEqual({ problems: [], warnings: [] });
    expect(spec.options[1]?.take).not.toBe('word');
  });

  it('suggests no move of a list to an end where it is already', () => {
    const text = z.string().meta({ optionTake: 'rest' });
    const { problems } = readOptions(z.object({ text, tags: z.array(z.string()) }), { file });
    expect(problems.map(({ hint }) => hint)).toEqual([
      'Only one option can take the rest of the line: make "tags" a single value, such as z.string().',
    ]);
  });

  it('refuses an option after one that takes the rest', () => {
    const { problems } = readOptions(z.object({ a: option.rest(), b: z.int() }), {
      file,
    });
    expect(problems).toMatchObject([{ code: 'E_OPTION_ORDER' }]);
    expect(problems[0]?.hint).toBe('Move "a" to the end.');
  });

  it.each([
    ['after', { size: z.int().optional(), names: z.array(z.string()) }],
    ['before', { names: z.array(z.string()), size: z.int().optional() }],
  ])('suggests no order for a required list %s an optional option', (_, shape) => {
    const { problems } = readOptions(z.object(shape), { file });
    expect(problems.map(({ hint }) => hint)).toEqual([
      'Let users name "size", with .meta({ named: true }): "names" takes the rest of the line.',
    ]);
  });

  it('does not suggest to move one of two options that take the rest', () => {
    const { problems } = readOptions(
      z.object({ a: z.array(z.int()).optional(), b: option.rest() }),
      { file },
    );
    expect(problems.map(({ hint }) => hint)).toEqual([
      'Only one option can take the rest of the line: make "b" a single value, such as z.string().',
    ]);
  });

  it('reports every problem at its line, and keeps the valid options', () => {
    const source = [
      "import * as z from 'zod';",
      '// options: { when: … } is what this is about',
      'export default defineCommand({',
      "  description: 'when: now',",
      '  options: z.object({',
      '    title: z.string(), // when: not here',
      '    when: z.date(),',
      "    'max count': z.int(),",
      '    description: z.set(z.string()), "2": z.int(),',
      '  }),',
      '});',
    ].join('\n');
    const schema = z.object({
      title: z.string(),
      when: z.date(),
      'max count': z.int(),
      description: z.set(z.string()),
      2: z.int(),
    });
    const { spec, problems } = readOptions(schema, { file, source });
    expect(
      problems
        .map(({ code, location }) => [code, location?.line, location?.column])
        .sort((a, b) => Number(a[1]) - Number(b[1])),
    ).toEqual([
      ['E_OPTION_TYPE', 7, 5],
      ['E_OPTION_NAME', 8, 5],
      ['E_OPTION_NAME', 9, 37],
      ['E_OPTION_TYPE', 9, 5],
    ]);
    expect(spec.options.map(({ name }) => name)).toContain('title');
  });
});

describe('toWireOptions', () => {
  it('returns what the platform accepts, and no more', () => {
    const { spec } = readOptions(
      z.object({
        url: z.url().describe('Audio address'),
        volume: z.int().min(0).max(100).default(50),
      }),
      { file },
    );
    expect(toWireOptions(spec)).toEqual([
      { name: 'url', description: 'Audio address', type: 'string', required: true },
      {
        name: 'volume',
        description: 'Whole number (0-100, default 50)',
        type: 'integer',
        required: false,
      },
    ]);
  });

  it.each<[z.ZodType, string]>([
    [z.int().min(2).max(1000).default(6), 'It (2-1000, default 6)'],
    [z.int().min(-5).max(5), 'It (-5 to 5)'],
    [z.int().min(3).max(3), 'It (3)'],
    [z.int().min(2), 'It (at least 2)'],
    [z.number().max(9), 'It (at most 9)'],
    [z.number().gt(0).lt(1), 'It (above 0, below 1)'],
    [z.int().multipleOf(5), 'It (multiple of 5)'],
    [z.string().min(2).max(5), 'It (2-5 characters)'],
    [z.string().length(4), 'It (4 characters)'],
    [z.string().min(1), 'It'],
    [z.string().max(1), 'It (at most 1 character)'],
    [z.url().max(500), 'It'],
    [z.enum(['low', 'high']).default('low'), 'It (low|high, default low)'],
    [z.boolean().default(false), 'It (default false)'],
    [z.string().default(''), 'It'],
    [z.string().default('a\nb'), 'It (default a b)'],
    [z.string().transform(Number).default(3), 'It'],
    [z.string().default('x'.repeat(30)), `It (default ${'x'.repeat(19)}…)`],
  ])('says what the wire has no field for, %#', (field, description) => {
    expect(readOne(field.describe('It')).description).toBe(description);
  });

  let reads = 0;
  let rolls = 0;
  it.each<[string, z.ZodType]>([
    ['a date', z.iso.date().default('2030-01-31')],
    ['a date that a plain string holds', z.string().default('2030-01-31T10:00:00Z')],
    ['a time', z.iso.time().default('18:30:00')],
    ['a date that is computed', z.iso.date().default(() => `2030-01-${10 + (reads += 1)}`)],
    ['the current time', z.int().default(() => (reads += 1))],
    ['a number that counts', z.number().default(() => (reads += 1))],
    ['one of few values', z.int().default(() => Number((rolls += 1) % 20 === 0))],
    ['a date that a function words', z.string().default(() => new Date(0).toString())],
    ['a date as Americans write it', z.string().default('11/25/2026')],
    ['a random id', z.uuid().default(() => crypto.randomUUID())],
    ['a prefault that is computed', z.uuid().prefault(() => crypto.randomUUID())],
    ['a fallback that is computed', z.number().catch(() => (reads += 1))],
    [
      'a default inside',
      z
        .number()
        .default(() => (reads += 1))
        .optional(),
    ],
  ])('sends the same whenever it is read when the default is %s', (_, field) => {
    const { required, description, defaultText } = readOne(field.describe('It'));
    expect({ required, description, defaultText }).toEqual({ required: false, description: 'It' });
  });

  it('shows a default that a function returns each time', () => {
    expect(readOne(z.int().default(() => 6)).description).toBe('Whole number (default 6)');
    expect(readOne(z.string().prefault(() => 'a')).description).toBe('Text (default a)');
  });

  it('cuts a long description to 100 characters and keeps the facts', () => {
    const { description } = readOne(z.int().max(9).describe('ab '.repeat(50)));
    expect(description).toMatch(/^ab .*ab…? ?.*\(at most 9\)$/);
    expect(description.length).toBeLessThanOrEqual(100);
    const choices = readOne(z.enum(Array.from({ length: 50 }, (_, n) => `choice-${n}`)));
    expect(choices.description.length).toBeLessThanOrEqual(100);
    expect(choices.description).toContain('choice-0|choice-1');
    const days = z.enum([
      'monday',
      'tuesday',
      'wednesday',
      'thursday',
      'friday',
      'saturday',
      'sunday',
    ]);
    expect(readOne(days.describe('Day of the week')).description).toBe(
      'Day of the week (monday|tuesday|wednesday|thursday|friday|saturday|sunday)',
    );
    const emoji = readOne(z.string().describe(`${'a'.repeat(98)}🎉🎉`)).description;
    expect(emoji).toBe(`${'a'.repeat(98)}…`);
  });

  it('makes one line of a description', () => {
    expect(readOne(z.string().describe(' a\n  b ')).description).toBe('a b');
    expect(readOne(z.string().describe('  ')).description).toBe('Text');
  });
});
