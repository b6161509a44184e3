import type { Bounds, FieldShape } from './field-shape.js';

/** The short standard form of a range: `2-1000`, `at least 3`, `2-5 characters`. Empty without one. */
export function rangeText(shape: FieldShape): string {
  const range = rangeOf(shape.bounds);
  const parts = [
    range.least !== undefined && range.most !== undefined
      ? between(range.least, range.most)
      : atLeast(range.least) + atMost(range.most),
    range.above === undefined ? '' : `above ${range.above}`,
    range.below === undefined ? '' : `below ${range.below}`,
    shape.bounds.multipleOf === undefined ? '' : `multiple of ${shape.bounds.multipleOf}`,
    charactersText(shape),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** What a user would have to type: `a whole number from 2 to 1000`. */
export function expectedText(shape: FieldShape, choices: readonly string[] | undefined): string {
  if (choices) return orList(choices);
  switch (shape.kind) {
    case 'integer':
      return `a whole number${wordedRange(shape)}`;
    case 'number':
      return `a number${wordedRange(shape)}`;
    case 'boolean':
      return 'yes or no';
    default:
      if (shape.textToBoolean) return 'yes or no';
      if (shape.optionFormat === 'duration') return 'a duration like 30s, 5m or 1h30m';
      if (shape.optionType !== undefined && shape.optionType in REFERENCES) {
        return REFERENCES[shape.optionType] ?? 'text';
      }
      if (shape.format !== undefined)
        return FORMATS[shape.format] ?? `text in the form "${shape.format}"`;
      return lengthText(shape);
  }
}

const REFERENCES: Readonly<Record<string, string>> = {
  user: 'a user, as a mention or an id',
  channel: 'a channel, as a mention or an id',
  role: 'a role, as a mention or an id',
  mentionable: 'a user or role, as a mention or an id',
  attachment: 'an attachment',
};

const FORMATS: Readonly<Record<string, string>> = {
  url: 'a URL',
  email: 'an email address',
  uuid: 'an id like 123e4567-e89b-42d3-a456-426614174000',
  guid: 'an id like 123e4567-e89b-42d3-a456-426614174000',
  date: 'a date like 2030-01-31',
  time: 'a time like 18:30:00',
  datetime: 'a date and time like 2030-01-31T18:30:00Z',
  duration: 'a duration like PT1H30M',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
};

/** zod bounds every integer by what a number can hold; that is no news to a user. */
const IMPLIED: ReadonlySet<number> = new Set([
  Number.MIN_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER,
  -(2 ** 31),
  2 ** 31 - 1,
  2 ** 32 - 1,
]);

interface Range {
  readonly least?: number | undefined;
  readonly most?: number | undefined;
  readonly above?: number | undefined;
  readonly below?: number | undefined;
}

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Bounds): Range {
  const told = (bound: unknown): number | undefined =>
    typeof bound === 'number' && !IMPLIED.has(bound) ? bound : undefined;
  return {
    least: told(minimum),
    most: told(maximum),
    above: told(exclusiveMinimum),
    below: told(exclusiveMaximum),
  };
}

const atLeast = (bound: number | undefined, before = ''): string =>
  bound === undefined ? '' : `${before}at least ${bound}`;
const atMost = (bound: number | undefined, before = ''): string =>
  bound === undefined ? '' : `${before}at most ${bound}`;

/** A dash between numbers reads as a minus when one of them is below zero. */
function between(least: number, most: number): string {
  if (least === most) return String(least);
  return least < 0 || most < 0 ? `${least} to ${most}` : `${least}-${most}`;
}

function wordedRange(shape: FieldShape): string {
  const { least, most, above, below } = rangeOf(shape.bounds);
  const parts = [
    least !== undefined && most !== undefined
      ? `from ${least} to ${most}`
      : atLeast(least, 'of ') + atMost(most, 'of '),
    above === undefined ? '' : `above ${above}`,
    below === undefined ? '' : `below ${below}`,
    shape.bounds.multipleOf === undefined ? '' : `that is a multiple of ${shape.bounds.multipleOf}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` ${parts.join(' and ')}`;
}

function charactersText({
  bounds: { minLength, maxLength },
  format,
  optionType,
}: FieldShape): string {
  // A URL or a mention has its own form; how long it may be helps nobody to type it.
  if (format !== undefined || (optionType !== undefined && optionType !== 'string')) return '';
  if (minLength !== undefined && maxLength !== undefined) {
    return minLength === maxLength ? countOf(minLength) : `${minLength}-${countOf(maxLength)}`;
  }
  if (minLength !== undefined) return minLength > 1 ? `at least ${countOf(minLength)}` : '';
  return maxLength === undefined ? '' : `at most ${countOf(maxLength)}`;
}

function lengthText(shape: FieldShape): string {
  const length = charactersText(shape);
  return length === '' ? 'text' : `text of ${length}`;
}

const countOf = (count: number): string => `${count} ${count === 1 ? 'character' : 'characters'}`;

/** More choices than this are not read anyway. */
const MAX_LISTED = 12;

/** `low, medium or high`, and `…` for what is too much. */
export function orList(choices: readonly string[]): string {
  if (choices.length > MAX_LISTED) return `one of ${choices.slice(0, MAX_LISTED).join(', ')}, …`;
  const [last = ''] = choices.slice(-1);
  return choices.length === 1 ? last : `${choices.slice(0, -1).join(', ')} or ${last}`;
}
