import { DESCRIPTION_MAX_LENGTH, type OptionType } from '@virgule/core/protocol';
import { quote } from '@virgule/core/raw-input';
import { countOf, listOf, oneLine } from '@virgule/core/text';
import { VALUE_TEXTS, type ExpectedValue } from '../errors/error-guards.js';
import { cutText } from '../text/cut-text.js';
import { formatDuration } from '../text/duration.js';
import type { FieldShape } from './field-shape.js';
import type { OptionSpec } from './option-spec.js';

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

/** Maximum length of choices in a description; seven weekdays take 56 characters. */
const MAX_CHOICES_LENGTH = 70;
/** Maximum number of choices in a message. Longer lists are cut. */
const MAX_LISTED = 12;
const DEFAULT_MAX_LENGTH = 20;

/**
 * Returns the registered description of an option. Facts for which the platform has no field are at the end in
 * brackets, `Faces on each die (2-1000, default 6)`, and are kept when the description is cut.
 */
export function describeOption(
  { description }: FieldShape,
  option: Omit<OptionSpec, 'description'>,
  isLast: boolean,
): string {
  const { item, type, expected, defaultText, isAuthor } = option;
  const { choices } = item?.expected ?? expected;
  const facts = [
    readingText(option, isLast),
    choices && expected.kind !== 'boolean'
      ? cutText(choices.join('|'), MAX_CHOICES_LENGTH)
      : rangeText(item?.expected ?? expected),
    item ? rangeText(expected) : '',
    isAuthor ? 'default you' : '',
    defaultText === undefined ? '' : `default ${cutText(defaultText, DEFAULT_MAX_LENGTH)}`,
  ].filter((fact) => fact !== '');
  const suffix = facts.length === 0 ? '' : ` (${oneLine(facts.join(', '))})`;
  const own = oneLine(description ?? '') || (item ? 'Values' : TYPE_LABELS[type]);
  return cutText(own, DESCRIPTION_MAX_LENGTH - suffix.length) + suffix;
}

/** Forms of a string before other options: a word without the form is skipped. The simulator's page reads them. */
const FORM_TEXTS: Readonly<Record<string, string>> = {
  duration: 'duration',
  message: 'message',
  timeZone: 'time zone',
  uuid: 'id',
  guid: 'id',
};

/** Returns the words that reach an option, if its type on the platform does not show them: `--repeat`, or the form of a word. */
function readingText(
  { name, type, named, required, expected }: Omit<OptionSpec, 'description'>,
  isLast: boolean,
): string {
  if (named) return type === 'boolean' && !required ? '' : `--${name}`;
  return (required || isLast ? undefined : FORM_TEXTS[expected.kind]) ?? '';
}

/** Returns the default in the form that a user would type; `undefined` if there is no such form. */
export function defaultTextOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return defaultTextOf(value.map(defaultTextOf).join(' '));
  return (typeof value === 'string' && oneLine(value)) || undefined;
}

/** Returns the short form of a range: `2-1000`, `at least 3`, `2-5 characters`. Empty if there is no range. */
function rangeText(expected: ExpectedValue): string {
  const words = expected.kind === 'duration' ? DURATIONS : SHORT;
  return [...boundTexts(expected, words), lengthText(expected)]
    .filter((part) => part !== '')
    .join(', ');
}

/** Returns the values that an option accepts; `words` for true and false, if they are not the usual ones. */
export function expectedValue(
  shape: FieldShape,
  words: readonly string[] | undefined,
): ExpectedValue {
  if (words) return { kind: 'boolean', bounds: {}, choices: words, text: listOf(words, 'or') };
  if (shape.choices && shape.kind !== 'boolean') return expectedChoice(shape.choices.map(String));
  const expected = { kind: kindOf(shape), bounds: shape.bounds };
  return { ...expected, text: expectedText(expected, shape) };
}

/** Returns the expected value of a list of choices: `low, medium or high`, of many only the first. */
export function expectedChoice(choices: readonly string[]): ExpectedValue {
  // Users can copy a choice: only quotes make one word of several.
  const words = choices.map((choice) => (/\s/.test(choice) ? quote(choice) : choice));
  const text =
    words.length > MAX_LISTED
      ? `one of ${words.slice(0, MAX_LISTED).join(', ')}, …`
      : listOf(words, 'or');
  return { kind: 'choice', bounds: {}, choices, text };
}

/** Returns the expected value of a string format of zod; `undefined` if only the schema knows the accepted values. */
export function expectedFormat(format: string): ExpectedValue | undefined {
  const kind = format === 'duration' ? 'iso-duration' : format;
  return isDescribed(kind) ? { kind, bounds: {}, text: VALUE_TEXTS[kind] } : undefined;
}

function kindOf({ kind, optionType, optionFormat, format = '' }: FieldShape): Kind {
  if (optionFormat) return optionFormat;
  if (kind !== 'string' && kind !== 'mixed') return kind;
  if (optionType !== undefined && isDescribed(optionType)) return optionType;
  return expectedFormat(format)?.kind ?? 'text';
}

/** Returns a description of the accepted values: `a whole number from 2 to 1000`. */
function expectedText(expected: Expectation, { choices = [] }: FieldShape): string {
  const { kind } = expected;
  if (isDescribed(kind)) return VALUE_TEXTS[kind];
  const length = lengthText(expected);
  switch (kind) {
    case 'integer':
      return `a whole number${wordedRange(expected)}`;
    case 'number':
      return `a number${wordedRange(expected)}`;
    case 'list':
      return length || 'one or more values';
    case 'boolean':
      return choices.length === 1 ? (choices[0] === true ? 'yes' : 'no') : 'yes or no';
    case 'duration': {
      const range = boundTexts(expected, DURATIONS).join('');
      return range === '' ? 'a duration like 30s, 5m or 1h30m' : `a duration, ${range}`;
    }
    default:
      return length === '' ? 'text' : `text of ${length}`;
  }
}

type Kind = ExpectedValue['kind'];
type Expectation = Pick<ExpectedValue, 'kind' | 'bounds'>;

const isDescribed = (kind: string): kind is keyof typeof VALUE_TEXTS =>
  Object.hasOwn(VALUE_TEXTS, kind);

const SHORT = { between, least: 'at least', most: 'at most', multiple: 'multiple of' };
const LONG = {
  between: (least: number, most: number) => `from ${least} to ${most}`,
  least: 'of at least',
  most: 'of at most',
  multiple: 'that is a multiple of',
};

const DURATIONS = {
  ...SHORT,
  between: (least: number, most: number) => `${formatDuration(least)} to ${formatDuration(most)}`,
};

/** Returns the bounds of a number or a duration in words. */
function boundTexts({ kind, bounds }: Expectation, words: typeof LONG): string[] {
  const show = kind === 'duration' ? formatDuration : String;
  const bound = (name: string, value: number | undefined): string[] =>
    value === undefined ? [] : [`${name} ${show(value)}`];
  const { minimum: least, maximum: most } = bounds;
  return [
    ...(least !== undefined && most !== undefined
      ? [words.between(least, most)]
      : [...bound(words.least, least), ...bound(words.most, most)]),
    ...bound('above', bounds.exclusiveMinimum),
    ...bound('below', bounds.exclusiveMaximum),
    ...bound(words.multiple, bounds.multipleOf),
  ];
}

/** Joins two bounds. A dash between numbers reads as a minus sign when one of them is negative. */
function between(least: number, most: number): string {
  if (least === most) return String(least);
  return least < 0 || most < 0 ? `${least} to ${most}` : `${least}-${most}`;
}

function wordedRange(expected: Expectation): string {
  const parts = boundTexts(expected, LONG);
  return parts.length === 0 ? '' : ` ${listOf(parts)}`;
}

/** Returns the accepted number of characters or list items, such as `2-5 characters`. */
function lengthText({ kind, bounds }: Expectation): string {
  // The length of a URL or a mention does not help a user to type it.
  if (kind !== 'text' && kind !== 'list') return '';
  const isList = kind === 'list';
  const noun = isList ? 'value' : 'character';
  const min = isList ? bounds.minItems : bounds.minLength;
  const max = isList ? bounds.maxItems : bounds.maxLength;
  if (max === undefined)
    return min === undefined || min <= 1 ? '' : `at least ${countOf(min, noun)}`;
  if (min === undefined) return `at most ${countOf(max, noun)}`;
  return min === max ? countOf(min, noun) : `${min}-${countOf(max, noun)}`;
}
