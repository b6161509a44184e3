import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { rawInputCases, rawInputCommands } from '../../../test/samples/raw-input-cases.js';
import { option } from '../../options/option.js';
import { readOptions } from '../../options/read-options.js';
import { formatUsage, type InputCommand } from './format-usage.js';
import type { InputFailure } from '../../errors/error-guards.js';
import { type ParsedInput, parseRawInput } from './parse-raw-input.js';
import { runs } from '../../../../core/test/fixtures/property-runs.js';

function command(name: string, schema: unknown): InputCommand {
  const { spec, problems } = readOptions(schema, { file: `commands/${name}.ts` });
  expect(problems).toEqual([]);
  return { name, spec };
}

/** The result of a line that needs no waiting for. */
function parse(line: string, schema: unknown, name = 'x'): ParsedInput {
  const result = parseRawInput(line, command(name, schema));
  if (result instanceof Promise) throw new Error('expected a result at once');
  return result;
}

describe('parseRawInput, line by line', () => {
  it.each(rawInputCases)('$about: $typed', ({ typed, command: named, returns, refuses }) => {
    const name = named ?? (/^\s*\/([a-z]+)/.exec(typed)?.[1] as keyof typeof rawInputCommands);
    const target = command(name, rawInputCommands[name]);
    const result = parseRawInput(typed, target) as ParsedInput;
    expect(result.ok ? result.options : result.failure.message).toEqual(
      returns ?? `${refuses} Usage: ${formatUsage(target)}`,
    );
  });
});

describe('parseRawInput', () => {
  it('returns a failure in parts, for an error handler', () => {
    const schema = z.object({ url: z.url(), volume: z.int().max(100).default(50) });
    expect(parse('/play https://x.test 900', schema, 'play')).toEqual({
      ok: false,
      failure: {
        kind: 'invalid',
        option: 'volume',
        typed: '900',
        expected: {
          kind: 'integer',
          bounds: { maximum: 100 },
          text: 'a whole number of at most 100',
        },
        usage: '/play <url> [volume=50]',
        message:
          'volume: expected a whole number of at most 100, got "900". Usage: /play <url> [volume=50]',
      },
    });
    expect(parse('/play', schema, 'play')).toMatchObject({
      failure: { kind: 'missing', option: 'url', missing: ['url'] },
    });
  });

  it.each<[string, z.ZodType, string, object]>([
    [
      'a range',
      z.int().min(2).max(9),
      '1',
      { kind: 'integer', bounds: { minimum: 2, maximum: 9 } },
    ],
    ['a length', z.string().min(3), 'a', { kind: 'text', bounds: { minLength: 3 } }],
    ['choices', z.enum(['red', 'blue']), 'x', { kind: 'choice', choices: ['red', 'blue'] }],
    [
      'choices after a conversion',
      z
        .string()
        .toLowerCase()
        .pipe(z.enum(['red', 'blue'])),
      'x',
      { kind: 'choice', choices: ['red', 'blue'] },
    ],
    ['a format', z.url(), 'x', { kind: 'url', bounds: {} }],
    ['a format of ISO 8601', z.iso.duration(), 'x', { kind: 'iso-duration', bounds: {} }],
    ['a time zone', option.timeZone(), 'Mars', { kind: 'timeZone', bounds: {} }],
    [
      'a duration',
      option.duration({ min: '1s', max: '1m' }),
      '2h',
      { kind: 'duration', bounds: { minimum: 1_000, maximum: 60_000 } },
    ],
    ['a mention', option.user(), 'x', { kind: 'user', bounds: {} }],
    ['yes or no', z.boolean(), 'x', { kind: 'boolean', bounds: {} }],
    [
      'words for yes and no',
      z.stringbool({ truthy: ['ja'], falsy: ['nein'] }),
      'x',
      { kind: 'boolean', choices: ['ja', 'nein'] },
    ],
    ['a list', z.array(z.int()).max(1), '1 2', { kind: 'list', bounds: { maxItems: 1 } }],
    [
      'an item of a list',
      z.array(z.int().max(5)),
      '9',
      { kind: 'integer', bounds: { maximum: 5 } },
    ],
  ])('returns the expected value as data for %s', (_, field, typed, expected) => {
    expect(parse(`/x ${typed}`, z.object({ it: field }))).toMatchObject({
      failure: { kind: 'invalid', expected },
    });
  });

  it.each([
    ['surplus', '/x 1 2 3'],
    ['repeated', '/x 1 a:2'],
    ['invalid', '/x one'],
    ['missing', '/x --a'],
    ['unterminated-quote', '/x "1'],
  ])('calls it %s when the line is %s', (kind, line) => {
    const schema = z.object({ a: z.int(), b: z.int().optional() });
    expect(parse(line, schema)).toMatchObject({ ok: false, failure: { kind } });
  });

  it.each([
    ['the rest of the line', z.string()],
    ['the line as it was typed', option.rest()],
  ])('misses the value of a name that takes %s and is at its end', (_, text) => {
    const schema = z.object({ a: z.int(), text });
    for (const line of ['/x 1 --text', '/x 1 --text  '])
      expect(parse(line, schema)).toMatchObject({
        ok: false,
        failure: { option: 'text', message: expect.stringContaining('--text has no value') },
      });
    expect(parse('/x 1 --text b c', schema)).toEqual({ ok: true, options: { a: 1, text: 'b c' } });
  });

  it('blames the first option that is wrong', () => {
    const schema = z.object({ a: z.int().max(5), b: z.int().max(5) });
    expect(parse('/x 7 8', schema)).toMatchObject({ failure: { option: 'a' } });
    expect(parse('/x b:no a:9', schema)).toMatchObject({ failure: { option: 'b' } });
  });

  it('shows one short line of what was typed', () => {
    const result = parse(`/x "a\n${'b'.repeat(500)}"`, z.object({ a: z.int() }));
    const message = result.ok ? '' : result.failure.message;
    expect(message).toContain(`got "a ${'b'.repeat(57)}…"`);
    expect(message).not.toContain('\n');
  });

  it('keeps the message within what a message may hold', () => {
    const schema = z.object({ a: z.string().refine(() => false, 'x'.repeat(5000)) });
    const result = parse('/x y', schema);
    expect(result.ok ? '' : result.failure.message).toHaveLength(2000);
  });

  it('speaks in the words of a check of the whole object', () => {
    const schema = z
      .object({ from: z.int(), to: z.int() })
      .refine(({ from, to }) => from < to, 'from must lie before to!');
    const usage = 'Usage: /x <from> <to>';
    expect(parse('/x 5 3', schema)).toMatchObject({
      failure: { message: `from must lie before to! ${usage}` },
    });
    expect(
      parse(
        '/x 5 3',
        z.object(schema.shape).refine(() => false),
      ),
    ).toMatchObject({
      failure: { message: `These options cannot be combined. ${usage}` },
    });
  });

  it.each([
    ['/x <@1>', '"<@\u200B1>"'],
    ['/x 1 @everyone', '"@\u200Beveryone"'],
    ['/x sides = <@&1>', 'Type sides:<@\u200B&1>.'],
  ])('notifies no one who is mentioned in %s', (line, shown) => {
    const { failure } = parse(line, z.object({ sides: z.int() })) as { failure: InputFailure };
    expect(failure.message).toContain(shown);
  });

  it('ties a check of the whole object to the option it names', () => {
    const schema = z
      .object({ from: z.int(), to: z.int() })
      .refine(() => false, { path: ['to'], message: 'too early' });
    expect(parse('/x 5 3', schema)).toMatchObject({
      failure: { option: 'to', message: 'to: too early, got "3". Usage: /x <from> <to>' },
    });
  });

  it('calls missing what a schema misses although it seemed optional', () => {
    const schema = z.object({ a: z.preprocess((value) => value, z.int()).nullable() });
    expect(parse('/x', schema)).toMatchObject({
      failure: { kind: 'missing', message: 'a is missing. Usage: /x [a]' },
    });
  });

  it('hands on what transforms make', () => {
    const schema = z.object({
      tags: z.string().transform((text) => text.split(',')),
      size: z.coerce.number(),
    });
    expect(parse('/x a,b 5', schema)).toEqual({
      ok: true,
      options: { tags: ['a', 'b'], size: 5 },
    });
  });

  it('waits for an async check, and only for that', async () => {
    const schema = z.object({ a: z.string().refine(async (a) => a !== 'taken', 'That is taken.') });
    const target = command('x', schema);
    expect(target.spec.isAsync).toBe(true);
    const result = parseRawInput('/x free', target);
    expect(result).toBeInstanceOf(Promise);
    expect(await result).toEqual({ ok: true, options: { a: 'free' } });
    expect(await parseRawInput('/x taken', target)).toMatchObject({
      failure: { message: 'a: That is taken. Got "taken". Usage: /x <a…>' },
    });
    expect(parseRawInput('/x', target)).toMatchObject({ failure: { kind: 'missing' } });
  });

  it('waits for a check that returns a promise without saying so, from the first line on', async () => {
    const calls = vi.fn(() => Promise.resolve(true));
    const target = command('x', z.object({ a: z.string().refine(() => calls()) }));
    expect(target.spec.isAsync).toBe(false);
    expect(await parseRawInput('/x 1', target)).toEqual({ ok: true, options: { a: '1' } });
    expect(calls).toHaveBeenCalledTimes(2);
    expect(await parseRawInput('/x 2', target)).toEqual({ ok: true, options: { a: '2' } });
    expect(calls).toHaveBeenCalledTimes(3);
  });

  it('does not throw when a check throws, and keeps the cause', async () => {
    const boom = new Error('boom');
    const fail = (): never => {
      throw boom;
    };
    expect(parse('/x 1', z.object({ a: z.string().transform(fail) }))).toMatchObject({
      ok: false,
      failure: {
        kind: 'crashed',
        cause: boom,
        message: 'Something went wrong while reading the options. Usage: /x <a…>',
      },
    });
    const rejecting = command('x', z.object({ a: z.string().refine(async () => fail()) }));
    expect(await parseRawInput('/x 1', rejecting)).toMatchObject({
      failure: { kind: 'crashed', cause: boom },
    });
  });

  it('returns refs whose text is the mention', () => {
    const id = '00000000-0000-4000-8000-000000000001';
    const schema = z.object({
      user: option.user(),
      channel: option.channel(),
      role: option.role(),
      any: option.mentionable(),
    });
    const result = parse(`/x ${id} ${id} ${id} <@&${id}>`, schema);
    expect(result.ok && Object.values(result.options).map(String)).toEqual([
      `<@${id}>`,
      `<#${id}>`,
      `<@&${id}>`,
      `<@&${id}>`,
    ]);
  });
});

/** Returns how often the parser reads a character of the line. A spy would also record each call. */
function stepsOf(line: string, target: InputCommand): number {
  const { charCodeAt, charAt } = String.prototype;
  let steps = 0;
  String.prototype.charCodeAt = function (index) {
    steps += 1;
    return charCodeAt.call(this, index);
  };
  String.prototype.charAt = function (index) {
    steps += 1;
    return charAt.call(this, index);
  };
  try {
    void parseRawInput(line, target);
    return steps;
  } finally {
    Object.assign(String.prototype, { charCodeAt, charAt });
  }
}

describe('parseRawInput on any input', () => {
  const schemas = Object.entries(rawInputCommands).map(([name, schema]) => command(name, schema));
  const words = Array.from({ length: 400 }, (_, n) => [`w${n}`, z.string().optional()] as const);
  const many = command('many', z.object(Object.fromEntries(words)));
  const piece = fc.oneof(
    fc.constantFrom(...'"\'“”‘’„\\ \n—=:/@'.split(''), '--', '<@', '1e3', '__proto__'),
    fc.constantFrom('--title', '--note ', 'title:', '--no-bold', '--bold ', 'constructor'),
    fc.string({ unit: 'binary' }),
  );
  const line = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('').slice(0, 2000));

  it('never throws and never waits', () => {
    fc.assert(
      fc.property(line, fc.constantFrom(...schemas), (text, target) => {
        const result = parseRawInput(text, target);
        expect(result).not.toBeInstanceOf(Promise);
        const { ok, failure } = { failure: undefined, ...(result as ParsedInput) };
        expect(ok || failure?.message.includes('Usage: /')).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  it('leaves every prototype as it was', () => {
    const before = Reflect.ownKeys(Object.prototype);
    fc.assert(
      fc.property(line, fc.constantFrom(...schemas), (text, target) => {
        const result = parseRawInput(`/x ${text} --__proto__.polluted=1 __proto__:1`, target);
        const { options } = { options: {}, ...(result as ParsedInput) };
        const known = target.spec.options.map(({ name }) => name);
        expect(Object.keys(options).filter((name) => !known.includes(name))).toEqual([]);
        expect(Object.getPrototypeOf(options)).toBe(Object.prototype);
      }),
    );
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('takes no value from a prototype that others have polluted', () => {
    const target = command('roll', rawInputCommands.roll);
    Object.defineProperty(Object.prototype, 'sides', {
      value: 99,
      writable: true,
      configurable: true,
    });
    try {
      const result = parseRawInput('/roll', target) as ParsedInput;
      expect(result.ok && Object.entries(result.options)).toContainEqual(['sides', 6]);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'sides');
    }
  });

  it.each([
    ["'a ", 'open apostrophes'],
    ['“a ', 'open quotes'],
    ["'a' ", 'closed quotes'],
    ['\\', 'backslashes'],
    ['\\"', 'escaped quotes'],
    [' ', 'spaces'],
    ['--', 'dashes'],
    ['a:', 'colons'],
    ['--title ', 'names'],
    ['1', 'digits'],
    ['--no-', 'negations'],
  ])('looks at each character of a line of %j a bounded number of times', (unit) => {
    const steps = (length: number, target: InputCommand): number =>
      stepsOf(`/x ${unit.repeat(length / unit.length)}`, target);
    for (const target of [many, ...schemas]) {
      expect(steps(2000, target)).toBeLessThanOrEqual(10 * 2000 + 200);
    }
  });

  it('takes steps in proportion to the length of any line of up to 2,000 characters', () => {
    const pieces = fc.array(piece, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(pieces, fc.nat(2000), fc.constantFrom(...schemas), (parts, length, target) => {
        const unit = parts.join('') || ' ';
        const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
        expect(stepsOf(`/x ${text}`, target)).toBeLessThanOrEqual(10 * length + 200);
      }),
      { numRuns: runs(150) },
    );
  });
});
