import { DESCRIPTION_MAX_LENGTH, type OptionType } from '@virgule/core/protocol';
import { countOf, listOf, oneLine } from '@virgule/core/text';
import { cutText } from '../text/cut-text.js';
import type { FieldShape } from './field-shape.js';

/** Descriptions of options without a description: the platform requires at least one character. */
const TYPE_LABELS: Readonly<Record<OptionType, string>> = {
  string: 'Text',
  integer: 'Whole number',
  number: 'Number',
  boolean: 'Yes or no',
  user: 'User',
  channel: 'Channel',
  role: 'Role',
  mentionable: 'User or role',
  attachment: 'Attachment',
};

const MAX_CHOICES_LENGTH = 50;
const DEFAULT_MAX_LENGTH = 20;

/**
 * Returns the registered description of an option. Facts for which the platform has no field are at the end in
 * brackets, `Faces on each die (2-1000, default 6)`, and are kept when the description is cut.
 */
export function describeOption(
  shape: FieldShape,
  type: OptionType,
  choices: readonly string[] | undefined,
  defaultText: string | undefined,
): string {
  const { item } = shape;
  const facts = [
    choices ? cutText(choices.join('|'), MAX_CHOICES_LENGTH) : rangeText(item ?? shape),
    item ? rangeText(shape) : '',
    defaultText === undefined ? '' : `default ${cutText(defaultText, DEFAULT_MAX_LENGTH)}`,
  ].filter((fact) => fact !== '');
  const suffix = facts.length === 0 ? '' : ` (${oneLine(facts.join(', '))})`;
  const own = oneLine(shape.description ?? '') || (item ? 'Values' : TYPE_LABELS[type]);
  return cutText(own, DESCRIPTION_MAX_LENGTH - suffix.length) + suffix;
}

export function isDescriptionCut({ description }: FieldShape, sent: string): boolean {
  return !sent.startsWith(oneLine(description ?? ''));
}

/** Returns the default in the form that a user would type; `undefined` if there is no such form. */
export function defaultTextOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return defaultTextOf(value.map(defaultTextOf).join(' '));
  return (typeof value === 'string' && oneLine(value)) || undefined;
}

/** Returns the short form of a range: `2-1000`, `at least 3`, `2-5 characters`. Empty if there is no range. */
function rangeText(shape: FieldShape): string {
  const parts = [...boundTexts(shape, SHORT), lengthText(shape), shape.optionFacts ?? ''];
  return parts.filter((part) => part !== '').join(', ');
}

/** Returns a description of the accepted values: `a whole number from 2 to 1000`. */
export function expectedText(shape: FieldShape, choices: readonly string[] | undefined): string {
  if (choices) return orList(choices);
  const { kind, optionExpected, optionType, format } = shape;
  if (optionExpected !== undefined) return optionExpected;
  if (kind === 'integer') return `a whole number${wordedRange(shape)}`;
  if (kind === 'number') return `a number${wordedRange(shape)}`;
  if (kind === 'list') return lengthText(shape) || 'one or more values';
  if (kind === 'boolean') {
    const [only, ...others] = shape.choices ?? [];
    return only === undefined || others.length > 0 ? 'yes or no' : only === true ? 'yes' : 'no';
  }
  const length = lengthText(shape);
  return (
    REFERENCES[optionType ?? ''] ??
    FORMAT_TEXTS[format ?? ''] ??
    (length === '' ? 'text' : `text of ${length}`)
  );
}

const REFERENCES: Readonly<Record<string, string>> = {
  user: 'a user, as a mention or an id',
  channel: 'a channel, as a mention or an id',
  role: 'a role, as a mention or an id',
  mentionable: 'a user or role, as a mention or an id',
  attachment:
    'an attachment, as a URL of the platform or of a host in the setting attachments.hosts',
};

/** Descriptions of the formats of zod. For other formats, only the schema knows the accepted values. */
export const FORMAT_TEXTS: Readonly<Record<string, string | undefined>> = {
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
  lowercase: 'text in lower case',
  uppercase: 'text in upper case',
};

const IMPLIED: ReadonlySet<number> = new Set([
  Number.MIN_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER,
  -(2 ** 31),
  2 ** 31 - 1,
  2 ** 32 - 1,
  -Number.MAX_VALUE,
  Number.MAX_VALUE,
  -Math.fround(3.4028234663852886e38),
  Math.fround(3.4028234663852886e38),
]);

const SHORT = { between, least: 'at least', most: 'at most', multiple: 'multiple of' };
const LONG = {
  between: (least: number, most: number) => `from ${least} to ${most}`,
  least: 'of at least',
  most: 'of at most',
  multiple: 'that is a multiple of',
};

/** Returns the bounds of a number in words, without the bounds of its type. */
function boundTexts({ bounds }: FieldShape, words: typeof LONG): string[] {
  const stated = (value: unknown): number | undefined =>
    typeof value === 'number' && !IMPLIED.has(value) ? value : undefined;
  const bound = (name: string, value: number | undefined): string[] =>
    value === undefined ? [] : [`${name} ${value}`];
  const [least, most] = [stated(bounds.minimum), stated(bounds.maximum)];
  return [
    ...(least !== undefined && most !== undefined
      ? [words.between(least, most)]
      : [...bound(words.least, least), ...bound(words.most, most)]),
    ...bound('above', stated(bounds.exclusiveMinimum)),
    ...bound('below', stated(bounds.exclusiveMaximum)),
    ...bound(words.multiple, bounds.multipleOf),
  ];
}

/** Joins two bounds. A dash between numbers reads as a minus sign when one of them is negative. */
function between(least: number, most: number): string {
  if (least === most) return String(least);
  return least < 0 || most < 0 ? `${least} to ${most}` : `${least}-${most}`;
}

function wordedRange(shape: FieldShape): string {
  const parts = boundTexts(shape, LONG);
  return parts.length === 0 ? '' : ` ${listOf(parts)}`;
}

/** Returns the accepted number of characters or list items, such as `2-5 characters`. */
function lengthText({
  kind,
  bounds,
  format,
  optionType = 'string',
  optionExpected,
}: FieldShape): string {
  // The length of a URL or a mention does not help a user to type it.
  if (format !== undefined || optionExpected !== undefined || optionType !== 'string') return '';
  const isList = kind === 'list';
  const noun = isList ? 'value' : 'character';
  const min = isList ? bounds.minItems : bounds.minLength;
  const max = isList ? bounds.maxItems : bounds.maxLength;
  if (max === undefined)
    return min === undefined || min <= 1 ? '' : `at least ${countOf(min, noun)}`;
  if (min === undefined) return `at most ${countOf(max, noun)}`;
  return min === max ? countOf(min, noun) : `${min}-${countOf(max, noun)}`;
}

/** Maximum number of listed choices. Longer lists are cut. */
const MAX_LISTED = 12;

/** Joins choices: `low, medium or high`. Lists only the first of many choices. */
export function orList(choices: readonly string[]): string {
  return choices.length > MAX_LISTED
    ? `one of ${choices.slice(0, MAX_LISTED).join(', ')}, …`
    : listOf(choices, 'or');
}
