import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '@virgule/core/objects';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { runs } from '../../../../core/test/fixtures/property-runs.js';
import { HOSTILE_TEXTS, optionValues } from '../../../test/option-values.js';
import { option } from '../../options/option.js';
import { readOptions } from '../../options/read-options.js';
import type { InputCommand } from './format-usage.js';
import { lineOfCall } from './line-of-call.js';
import { parseRawInput } from './parse-raw-input.js';

function command(schema: unknown): InputCommand {
  const { spec, problems } = readOptions(schema, { file: 'commands/x.ts' });
  expect(problems).toEqual([]);
  return { name: 'x', spec };
}

const song = command(
  z.object({
    title: z.string(),
    size: z.int().min(1).max(9).optional(),
    loud: z.boolean().optional(),
    tags: z.array(z.string()).optional(),
  }),
);
const ID = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';

/** Returns the options that a command gets from the line of a call. */
function received(target: InputCommand, values: unknown): unknown {
  const { line, refused } = lineOfCall(target, values);
  if (refused) return refused.failure.message;
  const parsed = parseRawInput(line, target);
  return 'options' in parsed ? parsed.options : parsed;
}

describe('lineOfCall', () => {
  it.each<[object | undefined, string, object]>([
    [undefined, '/x', {}],
    [{ title: 'a' }, '/x a', { title: 'a' }],
    [
      { title: 'a', size: 5, loud: true, tags: ['b c', 'd'] },
      '/x --loud=true a 5 "b c" d',
      { title: 'a', size: '5', loud: 'true', tags: ['b c', 'd'] },
    ],
    [{ title: 'a', size: null, loud: undefined }, '/x a', { title: 'a' }],
    // The command itself refuses these values, as if a user had typed them.
    [{ title: 'a', size: 99 }, '/x a 99', { title: 'a', size: '99' }],
    [{ title: 'a', size: 'many' }, '/x a --size=many', { title: 'a', size: 'many' }],
    [{ title: 5 }, '/x 5', { title: '5' }],
    [{ title: 'a', tags: [] }, '/x a --tags=', { title: 'a', tags: [] }],
  ])('writes %j as %s', (values, line, words) => {
    expect(lineOfCall(song, values)).toEqual({ line, words });
    expect(lineOfCall(song, words)).toEqual({ line, words });
  });

  it.each([-1, -60_000, -86_340_000, 60_000.9, NaN, Infinity, -Infinity, 2 ** 60])(
    'refuses %d as a duration, as if a user had typed it',
    (after) => {
      const target = command(z.object({ after: option.duration() }));
      const { line } = lineOfCall(target, { after });
      expect(line).toContain(String(after));
      expect(parseRawInput(line, target)).not.toHaveProperty('options');
    },
  );

  it('takes the channel of a link for that of a message only', () => {
    const link = `https://chat.example.com/channels/${OTHER}/${ID}/${OTHER}`;
    const refused = { failure: { message: expect.stringContaining('only this channel') } };
    const channel = z
      .string()
      .transform((text) => text.split('/')[4] ?? '')
      .pipe(option.channel());
    for (const [schema, isRefused] of [
      [channel, true],
      [option.message(), false],
    ] as const)
      expect(lineOfCall(command(z.object({ where: schema })), { where: link }, ID)).toMatchObject({
        refused: isRefused ? refused : undefined,
      });
  });

  it.each([
    ['a', 'the options must be an object'],
    [['a'], 'the options must be an object'],
    [{ title: 'a', Size: 5 }, 'there is no option "Size"'],
    [JSON.parse('{ "title": "a", "__proto__": { "size": 5 } }'), 'no option "__proto__"'],
    [{ title: { text: 'a' } }, 'title: expected text'],
    [{ title: ['a'] }, 'title: expected text'],
    [{ title: () => 'a' }, 'title: expected text'],
    [{ title: new Date(0) }, 'title: expected text'],
    [JSON.parse('{ "title": { "id": "1", "toString": "a" } }'), 'title: expected text'],
    [{ title: 'a', tags: 'b' }, 'tags: expected one or more values'],
    [{ title: 'a', tags: [['b']] }, 'tags: expected one or more values'],
    [{ title: 'a', tags: ['b', null] }, 'tags: expected one or more values'],
    [{ title: 'a'.repeat(65_537) }, 'longer than 65536 characters'],
    [
      { title: 'a', tags: ['b'.repeat(40_000), 'b'.repeat(40_000)] },
      'longer than 65536 characters',
    ],
    [
      { title: 'a', tags: Array.from({ length: 70_000 }, () => '') },
      'longer than 65536 characters',
    ],
  ])('refuses %.60j', (values, message) => {
    const { line, refused } = lineOfCall(song, values);
    expect([line, refused?.failure.kind]).toEqual(['/x', 'invalid']);
    expect(refused?.failure.message).toContain(message);
    expect(refused?.failure.message).toContain('Usage: /x [--loud] <title>');
  });

  it('takes values from no prototype', () => {
    expect(lineOfCall(song, Object.create({ title: 'inherited' }))).toEqual({
      line: '/x',
      words: {},
    });
  });

  const textOfPart = (value: unknown): string => (Object.is(value, -0) ? '-0' : String(value));

  it('never throws for JSON, and carries what it does not refuse', () => {
    const json = fc.jsonValue();
    const fields = { title: json, size: json, loud: json, tags: json };
    const given = fc.oneof(json, fc.record(fields, { requiredKeys: [] }));
    fc.assert(
      fc.property(given, (values) => {
        const { title }: { readonly title?: unknown } = Object(values);
        const { line, refused } = lineOfCall(song, values);
        const parsed = parseRawInput(line, song);
        const carried = 'options' in parsed ? parsed.options['title'] : 'invalid';
        const text = isObject(title) ? 'invalid' : textOfPart(title);
        expect(['invalid', text]).toContain(refused?.failure.kind ?? carried);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('takes references, and mentions as text', () => {
    const target = command(z.object({ who: option.user(), where: option.channel() }));
    const parsed = received(target, { who: `<@${ID}>`, where: ID });
    expect(parsed).toEqual({ who: { id: ID }, where: { id: ID } });
    expect(received(target, parsed)).toEqual(parsed);
  });

  it.each(HOSTILE_TEXTS)('carries %j as a value and nothing else', (text) => {
    for (const title of [z.string(), option.rest(), z.string().optional(), z.array(z.string())]) {
      const value = title instanceof z.ZodArray ? [text, text] : text;
      for (const named of [title, title.meta({ named: true })]) {
        if (named !== title && title.meta()?.['optionTake'] === 'raw') continue;
        const target = command(z.object({ loud: z.boolean().optional(), title: named }));
        expect(received(target, { title: value })).toEqual({ title: value });
      }
    }
    const first = command(z.object({ title: z.string(), size: z.int().optional() }));
    expect(received(first, { title: text, size: 1 })).toEqual({ title: text, size: 1 });
  });
});

const templates = join(import.meta.dirname, '../../../../../templates');

const files = readdirSync(templates).flatMap((template) => {
  const folder = join(templates, template, 'commands');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|\/)[^_/][^/]*\.[jt]s$/.test(file) && !file.includes('.test.'))
    .map((file) => [`${template}/${file}`, join(folder, file)] as const);
});

describe('lineOfCall for each command of the templates', () => {
  it.each(files)('%s', async (_, file) => {
    const { default: definition } = (await import(file)) as { default: { options?: unknown } };
    const { spec } = readOptions(definition.options, { file });
    const target = { name: 'x', spec };
    const given = optionValues(spec);
    fc.assert(
      fc.property(given, (values) => {
        const { line, refused } = lineOfCall(target, values);
        expect(refused).toBeUndefined();
        const parsed = parseRawInput(line, target);
        // Zod decides the same about the values as about the line, except that a user types only text.
        const checked = spec.schema?.safeParse(values);
        const expected = checked?.success ? { ok: true, options: checked.data } : parsed;
        expect(parsed).toEqual(expected);
      }),
      { numRuns: runs(100) },
    );
  });
});
