import fc from 'fast-check';
import type { OptionSpec, OptionsSpec, ValueSpec } from '../src/options/option-spec.js';

/** Texts that mean something in a line, in a message or in JavaScript. As values they mean nothing. */
export const HOSTILE_TEXTS: readonly string[] = [
  '--title',
  '--title=x',
  '--no-loud',
  '\u2014title x',
  '-- ',
  '-',
  'title:x',
  'title: x',
  'loud:',
  '"',
  '""',
  '"a',
  'a"',
  '" --title=x "',
  "'",
  "'tis",
  '\u201Ca\u201D',
  '\u201E',
  '\u2019',
  '`',
  '```\n/x\n```',
  '\\',
  '\\"',
  '\\\\',
  '\\n',
  '\n',
  ' ',
  '\ta\r\n b ',
  '\u2028',
  '\u0000',
  '\u200E/x',
  '\uD800',
  '/x',
  '/x a',
  '!x',
  '<@00000000-0000-4000-8000-000000000001>',
  '<#00000000-0000-4000-8000-000000000002>',
  '@everyone',
  '#general',
  '__proto__',
  'constructor',
  '{"title":"x"}',
  '${title}',
  'null',
  'https://example.com/?a=1#b',
];

const text = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary' }));

/** Generates options for a command by key, as a program or a language model would pass them. About one value in ten is invalid. */
export function optionValues({ options }: OptionsSpec): fc.Arbitrary<Record<string, unknown>> {
  const entries = options.map((option) => [option.key, valuesOf(option)] as const);
  const requiredKeys = options.flatMap(({ required, key }) => (required ? [key] : []));
  return fc.record(Object.fromEntries(entries), { requiredKeys });
}

function valuesOf(option: OptionSpec | ValueSpec): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: validOf(option), weight: 9 }, { arbitrary: text, weight: 1 });
}

function validOf({ input, expected, item, choiceValues }: ValueSpec): fc.Arbitrary<unknown> {
  const { kind, bounds, choices = [] } = expected;
  const { minimum = -1_000, maximum = 1_000 } = bounds;
  if (input === 'list')
    return fc.array(item ? validOf(item) : text, { minLength: 1, maxLength: bounds.maxItems ?? 4 });
  if (choices.length > 0) return fc.constantFrom<unknown>(...(choiceValues ?? choices));
  switch (kind) {
    case 'integer':
    case 'number':
      return fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) });
    case 'boolean':
      return fc.boolean();
    case 'duration':
      return fc.integer({ min: 1, max: 48 }).map((hours) => `${hours}h`);
    case 'user':
    case 'mentionable':
      return fc.uuid().map((id) => `<@${id}>`);
    case 'channel':
      return fc.uuid().map((id) => `<#${id}>`);
    case 'role':
      return fc.uuid().map((id) => `<@&${id}>`);
    case 'message':
      return fc.uuid();
    case 'attachment':
    case 'url':
      return fc.webUrl();
    default:
      return text;
  }
}
