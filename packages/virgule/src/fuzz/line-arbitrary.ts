import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import { quote } from '@virgule/core/raw-input';
import { formatDuration, type Command } from '@virgule/runtime/project';
import type FastCheck from 'fast-check';
import type { Arbitrary } from 'fast-check';

type Option = Command['spec']['options'][number];

/** Placeholder of a file, which is uploaded for each run: the URL of a file expires. */
export const SAMPLE = 'https://files.example/sample.txt';

/** Words that break code which trusts its input, or that look like syntax of a line. */
const HOSTILE = [
  '',
  ' ',
  ...'\n|\0|\\|\u202E|\u200B|\uD800'.split('|'),
  ...'" “ \' ` -- --__proto__=x a:b $& % / ( ../.. @everyone __proto__ constructor toString'.split(
    ' ',
  ),
  ...'null undefined NaN -0 1e309 0x10 9007199254740993 ٣ İ ß 👩‍👩‍👧'.split(' '),
];

/** Length of the longest values, in characters. Only code types lines that are longer than a message. */
const LONG = 65_000;

const ID = '123e4567-e89b-42d3-a456-426614174000';

/** Values of kinds without bounds, unless the text of the kind has an example. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  boolean: ['yes', 'no', 'true', '1'],
  attachment: [SAMPLE],
  user: ['@ada', `<@${ID}>`],
  mentionable: ['@ada', `<@&${ID}>`],
  channel: ['#general', `<#${ID}>`],
  role: [`<@&${ID}>`],
  message: [ID],
  url: ['https://example.com', 'https://[::1]:0/?a=b#c', 'data:,'],
  email: ['ada@example.com', 'a+b@sub.example.co'],
  ipv4: ['192.0.2.1', '0.0.0.0'],
  ipv6: ['2001:db8::1', '::'],
  date: ['2030-01-31', '2024-02-29', '0001-01-01', '9999-12-31'],
  datetime: ['2030-01-31T18:30:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
};

/** Forms in which a user types a value, the simplest first. */
const FORMS: readonly ((name: string, word: string) => string)[] = [
  (_, word) => word,
  (_, word) => quote(word),
  (name, word) => `${name}:${word}`,
  (name, word) => `--${name}=${quote(word)}`,
];

/** Least and greatest number without bounds, and step; durations are in milliseconds. */
type Range = readonly [least: number, greatest: number, step: number];

const RANGES: Readonly<Record<string, Range>> = {
  integer: [-(2 ** 53), 2 ** 53, 1],
  number: [-1e9, 1e9, 1],
  duration: [0, 2 ** 53, 1_000],
};

/**
 * Creates arbitrary lines of commands, which shrink to simple ones: values at and beyond the bounds of their schemas,
 * in each form of the grammar, and words that are hard to read.
 */
export function createLineArbitrary(fc: typeof FastCheck) {
  const hostile = fc.constantFrom(...HOSTILE);
  // The units of fast-check beyond ASCII take a second to prepare.
  const unit = fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), hostile);

  /** Returns numbers from just below the least to just above the greatest. */
  function numberOf({ kind, bounds }: Option['expected'], [least, greatest, usual]: Range) {
    const { exclusiveMinimum: above = least, exclusiveMaximum: below = greatest } = bounds;
    const { minimum = above, maximum = below, multipleOf: step = usual } = bounds;
    const min = Math.max(Math.floor(minimum / step) - 1, Number.MIN_SAFE_INTEGER);
    const max = Math.min(Math.ceil(maximum / step) + 1, Number.MAX_SAFE_INTEGER);
    const near = (value: number): number => Math.min(Math.max(value, min), max);
    const most = { min: maximum < greatest ? max - 2 : min, max };
    const ranges = [{ min, max }, { min: near(-1), max: near(1) }, most];
    const whole = fc.oneof({ withCrossShrink: true }, ...ranges.map((range) => fc.integer(range)));
    const counts = whole.map((count) => count * step);
    if (kind === 'duration') return counts.map((ms) => formatDuration(Math.max(ms, 0)));
    const isWhole = kind === 'integer' || bounds.multipleOf !== undefined;
    const fractions = { min: Math.min(minimum, maximum), max: maximum, noNaN: true };
    return (isWhole ? counts : fc.oneof(fc.double(fractions), counts)).map(String);
  }

  function valueOf({ expected, item }: Pick<Option, 'expected' | 'item'>): Arbitrary<string> {
    const { kind, bounds, choices } = expected;
    if (choices) return fc.constantFrom(...choices);
    const range = RANGES[kind];
    if (range) return numberOf(expected, range);
    if (kind === 'text') {
      const { minLength = 0, maxLength = Math.max(CONTENT_MAX_LENGTH, minLength + 20) } = bounds;
      const length = fc.integer({ min: Math.max(minLength - 1, 0), max: maxLength + 1 });
      const short = { minLength, maxLength: Math.min(maxLength, minLength + 20) };
      return fc.oneof(
        { withCrossShrink: true },
        { weight: 4, arbitrary: fc.string({ ...short, unit }) },
        { weight: 4, arbitrary: length.map((count) => 'x'.repeat(count)) },
        { weight: 1, arbitrary: fc.constant('x'.repeat(LONG)) },
        { weight: 2, arbitrary: hostile },
      );
    }
    if (kind === 'list') {
      const { minItems = 1, maxItems = minItems + 10 } = bounds;
      const items = { minLength: Math.max(minItems - 1, 0), maxLength: maxItems + 1 };
      return fc.array(item ? valueOf(item) : hostile, items).map((words) => words.join(' '));
    }
    const [, example] = / like (\S+)$/.exec(expected.text) ?? [];
    return fc.constantFrom(...(SAMPLES[kind] ?? (example ? [example] : HOSTILE)));
  }

  /** Returns an option in one of its forms; an empty string if the option is omitted. */
  function partOf(option: Option): Arbitrary<string> {
    const { name, named, required } = option;
    const word = fc.oneof(
      // A line with several options needs a valid value for each.
      { weight: 14, arbitrary: valueOf(option) },
      { weight: 1, arbitrary: hostile },
      { weight: 1, arbitrary: fc.string({ unit, maxLength: 20 }) },
    );
    const form = fc.constantFrom(...(named ? FORMS.slice(2) : FORMS));
    const part = fc.tuple(word, form).map(([value, write]) => write(name, value));
    return fc.option(part, { nil: '', freq: required ? 20 : 3 });
  }

  return ({ name, spec }: Command, marks: readonly string[]): Arbitrary<string> => {
    const mark = fc.constantFrom(...marks);
    const surplus = fc.tuple(fc.nat(7), hostile).map(([rare, word]) => (rare === 7 ? word : ''));
    return fc
      .tuple(mark, ...spec.options.map(partOf), surplus)
      .map(([start, ...words]) => [start + name, ...words.filter(Boolean)].join(' '));
  };
}
