import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import { quote } from '@virgule/core/raw-input';
import { formatDuration, type Command } from '@virgule/runtime/project';
import type FastCheck from 'fast-check';
import type { Arbitrary } from 'fast-check';

type Option = Command['spec']['options'][number];

/** A line, and its values by key, for a call by code if the line is too long for the platform. */
export interface FuzzLine {
  readonly line: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Seed of the random numbers and of the faults. */
  readonly chance: number;
}

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
  lowercase: ['sample'],
  uppercase: ['SAMPLE'],
};

/** Forms in which a user types a value, the simplest first. */
const FORMS: readonly ((name: string, word: string) => string)[] = [
  (_, word) => word,
  (_, word) => quote(word),
  (name, word) => `${name}:${word}`,
  (name, word) => `--${name}=${quote(word)}`,
];

/**
 * Creates arbitrary lines of commands, which shrink to simple ones: values at and beyond the bounds of their schemas,
 * in each form of the grammar, and words that are hard to read.
 */
export function createLineArbitrary(fc: typeof FastCheck) {
  const hostile = fc.constantFrom(...HOSTILE);
  // The units of fast-check beyond ASCII take a second to prepare.
  const unit = fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), hostile);

  /** Returns whole numbers from just below the least to just above the most. */
  function near({ bounds }: Option['expected'], least: number, most: number, step: number) {
    const { exclusiveMinimum = least, exclusiveMaximum = most, multipleOf = step } = bounds;
    const { minimum = exclusiveMinimum, maximum = exclusiveMaximum } = bounds;
    const min = Math.max(Math.floor(minimum / multipleOf) - 1, Number.MIN_SAFE_INTEGER);
    const max = Math.min(Math.ceil(maximum / multipleOf) + 1, Number.MAX_SAFE_INTEGER);
    const edges = [0, 1, min + 1, max - 1, min, max].filter((edge) => edge >= min && edge <= max);
    const counts = fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min, max }) },
      { weight: 1, arbitrary: fc.constantFrom(...edges) },
    );
    return counts.map((count) => count * multipleOf);
  }

  function valueOf({ expected, item }: Pick<Option, 'expected' | 'item'>): Arbitrary<string> {
    const { kind, bounds, choices } = expected;
    if (choices) return fc.constantFrom(...choices);
    switch (kind) {
      case 'integer':
        return near(expected, -(2 ** 53), 2 ** 53, 1).map(String);
      case 'number': {
        const { exclusiveMinimum = -1e9, exclusiveMaximum = 1e9 } = bounds;
        const { minimum: min = exclusiveMinimum, maximum: max = exclusiveMaximum } = bounds;
        const fractions = fc.double({ min: Math.min(min, max), max, noNaN: true });
        const counts = near(expected, min, max, 1);
        return (bounds.multipleOf ? counts : fc.oneof(fractions, counts)).map(String);
      }
      case 'duration':
        return near(expected, 0, 2 ** 53, 1_000).map((ms) => formatDuration(Math.max(ms, 0)));
      case 'text': {
        const { minLength = 0, maxLength = Math.max(CONTENT_MAX_LENGTH, minLength + 20) } = bounds;
        const length = fc.integer({ min: Math.max(minLength - 1, 0), max: maxLength + 1 });
        const short = { minLength, maxLength: Math.min(maxLength, minLength + 20) };
        const text = fc.string({ ...short, unit });
        const lengths = length.map((count) => 'x'.repeat(count));
        return fc.oneof(
          { withCrossShrink: true },
          { weight: 4, arbitrary: text },
          { weight: 4, arbitrary: lengths },
          { weight: 1, arbitrary: fc.constant('x'.repeat(LONG)) },
        );
      }
      case 'list': {
        const { minItems = 1, maxItems = minItems + 10 } = bounds;
        const items = { minLength: Math.max(minItems - 1, 0), maxLength: maxItems + 1 };
        const values = fc.array(item ? valueOf(item) : hostile, items);
        return values.map((words) => words.join(' '));
      }
      case 'attachment':
        return fc.constant(SAMPLE);
      default: {
        const [, example] = / like (\S+)$/.exec(expected.text) ?? [];
        return fc.constantFrom(...(SAMPLES[kind] ?? (example ? [example] : HOSTILE)));
      }
    }
  }

  /** Returns the value of an option in one of its forms; `null` if the option is omitted. */
  function partOf(option: Option) {
    const { name, named, required } = option;
    const word = fc.oneof(
      // A line with several options needs a valid value for each.
      { weight: 14, arbitrary: valueOf(option) },
      { weight: 1, arbitrary: hostile },
      { weight: 1, arbitrary: fc.string({ unit, maxLength: 20 }) },
    );
    const form = fc.constantFrom(...(named ? FORMS.slice(2) : FORMS));
    const part = fc
      .tuple(word, form)
      .map(([value, write]) => ({ value, text: write(name, value) }));
    return fc.option(part, { freq: required ? 20 : 3 });
  }

  return ({ name, spec }: Command, marks: readonly string[]): Arbitrary<FuzzLine> => {
    const none = { weight: 7, arbitrary: fc.constant([]) };
    const tail = fc.oneof({ withCrossShrink: true }, none, {
      weight: 1,
      arbitrary: fc.tuple(hostile),
    });
    const parts = fc.tuple(...spec.options.map(partOf));
    const all = fc.tuple(fc.constantFrom(...marks), parts, tail, fc.nat(999));
    return all.map(([mark, typed, last, chance]) => {
      const words = typed.flatMap((part) => part?.text ?? []);
      const values = spec.options.flatMap(({ key, item }, index) => {
        const value = typed[index]?.value;
        return value === undefined ? [] : [[key, item ? value.split(' ') : value] as const];
      });
      const line = [mark + name, ...words, ...last].join(' ');
      return { line, values: Object.fromEntries(values), chance };
    });
  };
}
