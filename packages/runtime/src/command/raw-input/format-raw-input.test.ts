import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { option } from '../../options/option.js';
import { readOptions } from '../../options/read-options.js';
import { formatRawInput } from './format-raw-input.js';
import type { InputCommand } from './format-usage.js';
import { lineOfCall } from './line-of-call.js';
import { parseRawInput } from './parse-raw-input.js';
import { runs } from '../../../../core/test/fixtures/property-runs.js';

function command(schema: unknown): InputCommand {
  const { spec, problems } = readOptions(schema, { file: 'commands/x.ts' });
  expect(problems).toEqual([]);
  return { name: 'x', spec };
}

const sample = command(
  z.object({
    title: z.string(),
    size: z.int().optional(),
    loud: z.boolean().optional(),
    text: z.string().optional(),
  }),
);

describe('formatRawInput', () => {
  it.each([
    [{ title: 'a' }, '/x a'],
    [{ title: 'a', size: 5, loud: true, text: 'b  c' }, '/x --loud=true a 5 b  c'],
    [{ title: 'two words' }, '/x "two words"'],
    [{ title: '' }, '/x ""'],
    [{ title: "it's" }, "/x it's"],
    [{ title: 'say "hi" \\ ' }, String.raw`/x "say \"hi\" \\ "`],
    [{ title: '--size' }, '/x "--size"'],
    [{ title: '--other' }, '/x --other'],
    [{ title: 'size:5' }, '/x "size:5"'],
    [{ title: 'a', loud: false }, '/x --loud=false a'],
    [{ title: 'a', text: 'b c' }, '/x a --text=b c'],
    [{ title: 'a', text: '"b" c' }, String.raw`/x a --text="\"b\" c"`],
    [{ title: 'a', size: undefined, loud: null }, '/x a'],
    [{ size: 5, unknown: 1 }, '/x --size=5'],
  ])('writes %j as %s', (values, line) => {
    expect(formatRawInput(sample, values)).toBe(line);
  });

  it('writes named options first, and an invalid value by its name', () => {
    const target = command(
      z
        .object({
          count: z.int().optional(),
          text: z.string(),
          tags: z.array(z.string()).meta({ named: true }),
        })
        .partial(),
    );
    expect(formatRawInput(target, { count: 'many', text: 'a', tags: ['b', 'c d'] })).toBe(
      String.raw`/x --tags="b \"c d\"" --count=many a`,
    );
  });

  it('writes durations and references as a user would', () => {
    const id = '00000000-0000-4000-8000-000000000001';
    const target = command(z.object({ after: option.duration(), who: option.user() }));
    const line = `/x 1h30m <@${id}>`;
    const parsed = parseRawInput(line, target);
    expect(parsed).toMatchObject({ ok: true });
    expect(
      formatRawInput(target, 'options' in parsed && parsed.options ? parsed.options : {}),
    ).toBe(line);
  });

  it('finds no values in the prototype', () => {
    const target = command(z.object({ title: z.string() }));
    expect(formatRawInput(target, Object.create({ title: 'inherited' }))).toBe('/x');
  });
});

const plain = (options: unknown): unknown => JSON.parse(JSON.stringify(options));

/** A schema of one option and the values that go through a line and back. */
interface Kind {
  readonly schema: z.ZodType;
  readonly values: fc.Arbitrary<unknown>;
}

const id = fc.uuid();
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('"', "'", '\\', ' ', '“', '”', '’', 'a', '-', ':', '\n', '='),
  }),
  fc.constantFrom('--a', '--no-a', '—a', 'a:1', 'a:', '"', "'tis", '__proto__', '--a=1', '/x'),
);

/** Kinds that may be anywhere. Enough of each to meet every rule of the line. */
const word: fc.Arbitrary<Kind> = fc.constantFrom<Kind>(
  { schema: z.string(), values: text },
  { schema: z.int(), values: fc.maxSafeInteger() },
  { schema: z.number(), values: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { schema: z.boolean(), values: fc.boolean() },
  { schema: z.stringbool(), values: fc.boolean() },
  { schema: z.stringbool({ truthy: ['ja'], falsy: ['nein'] }), values: fc.boolean() },
  {
    schema: z.enum(['a', 'B', 'b', 'two words', '']),
    values: fc.constantFrom('a', 'B', 'b', 'two words', ''),
  },
  { schema: z.literal([1, -2, 0.5]), values: fc.constantFrom(1, -2, 0.5) },
  { schema: z.url(), values: fc.webUrl({ withQueryParameters: true, withFragments: true }) },
  { schema: z.uuid(), values: id },
  { schema: option.attachment(), values: fc.webUrl({ withQueryParameters: true }) },
  { schema: option.duration(), values: fc.nat() },
  { schema: z.int().min(-9).max(9), values: fc.integer({ min: -9, max: 9 }) },
  { schema: z.iso.date(), values: fc.constantFrom('2030-01-31', '1999-12-01') },
  { schema: z.email(), values: fc.constantFrom('a@example.com', 'b.c+d@example.org') },
  {
    schema: z.union([z.literal('a'), z.literal('--b'), z.literal('c d')]),
    values: fc.constantFrom('a', '--b', 'c d'),
  },
  { schema: z.string().refine(() => true), values: text },
  { schema: z.string().brand('x').readonly(), values: text },
  { schema: option.user(), values: id.map((user) => ({ id: user, toString: () => `<@${user}>` })) },
  {
    schema: option.channel(),
    values: id.map((other) => ({ id: other, toString: () => `<#${other}>` })),
  },
  {
    schema: option.role(),
    values: id.map((role) => ({ id: role, toString: () => `<@&${role}>` })),
  },
  {
    schema: option.mentionable(),
    values: id.map((role) => ({ id: role, kind: 'role', toString: () => `<@&${role}>` })),
  },
);

/** Ways to make an option optional, and the value that its command gets without the option. */
const SOFTENED: readonly ((
  schema: z.ZodType,
  value: unknown,
) => { schema: z.ZodType; absent: unknown })[] = [
  (schema) => ({ schema: schema.optional(), absent: undefined }),
  (schema) => ({ schema: schema.nullable(), absent: null }),
  (schema) => ({ schema: schema.nullish(), absent: undefined }),
  (schema) => ({ schema: schema.optional().meta({ named: true }), absent: undefined }),
  (schema, value) => ({ schema: schema.default(() => value), absent: value }),
];

const last: fc.Arbitrary<Kind> = fc.oneof(
  word,
  fc.constantFrom<Kind>(
    { schema: option.rest(), values: text },
    { schema: z.array(z.string()), values: fc.array(text, { minLength: 1 }) },
    { schema: z.array(z.int()), values: fc.array(fc.maxSafeInteger(), { minLength: 1 }) },
    { schema: z.enum(['New York', 'Berlin']), values: fc.constantFrom('New York', 'Berlin') },
  ),
);

const names = fc.uniqueArray(
  fc.constantFrom(
    'a',
    'b',
    'no-a',
    'url',
    'x',
    'http',
    'value',
    '5a',
    'a-b',
    'a_b',
    'true',
    'aB',
    'maxCount',
  ),
  // The keys that are the same on the platform.
  { minLength: 1, maxLength: 6, selector: (key) => (key === 'aB' ? 'a-b' : key) },
);

/** A schema, in which what may be left out comes last, values for it, and what a command gets. */
const example = names.chain((keys) =>
  fc
    .tuple(
      fc.tuple(...keys.map((_, index) => (index === keys.length - 1 ? last : word))),
      fc.nat(keys.length),
      fc.array(fc.boolean(), { minLength: keys.length, maxLength: keys.length }),
      fc.array(fc.constantFrom(...SOFTENED), { minLength: keys.length, maxLength: keys.length }),
    )
    .chain(([kinds, firstOptional, given, softened]) =>
      fc.tuple(...kinds.map(({ values }) => values)).map((values) => {
        const fields = keys.map((key, index) => {
          const required = kinds[index]?.schema ?? z.never();
          const value = values[index];
          const isTyped = index < firstOptional || given[index] === true;
          const soften = index < firstOptional ? undefined : softened[index];
          const { schema, absent } = soften?.(required, value) ?? {
            schema: required,
            absent: undefined,
          };
          return { key, schema, value, isTyped, absent };
        });
        const typed = fields.filter(({ isTyped }) => isTyped);
        return {
          schema: z.object(Object.fromEntries(fields.map(({ key, schema }) => [key, schema]))),
          values: Object.fromEntries(typed.map(({ key, value }) => [key, value])),
          expected: Object.fromEntries(
            fields.map(({ key, value, isTyped, absent }) => [key, isTyped ? value : absent]),
          ),
        };
      }),
    ),
);

describe('formatRawInput and parseRawInput', () => {
  it('parse back to the same options, for any schema and values', () => {
    fc.assert(
      fc.property(example, ({ schema, values, expected }) => {
        const target = command(schema);
        const line = formatRawInput(target, values);
        const result = parseRawInput(line, target);
        expect(result).toMatchObject({ ok: true });
        const options = ('options' in result ? result.options : undefined) ?? {};
        // References carry their text hidden: compare what they refer to.
        expect(plain(options)).toEqual(plain(expected));
        const again = parseRawInput(formatRawInput(target, options), target);
        expect(plain('options' in again && again.options)).toEqual(plain(expected));
        const { words, ...rest } = lineOfCall(target, values);
        expect(rest).toEqual({ line });
        expect(lineOfCall(target, words)).toEqual({ line, words });
      }),
      { numRuns: runs(250) },
    );
  });
});
