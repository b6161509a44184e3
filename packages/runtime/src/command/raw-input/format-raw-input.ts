import {
  hasForm,
  isOpeningQuote,
  isQuote,
  isSpace,
  matchNamedOption,
  quote,
} from '@virgule/core/raw-input';
import { formatDuration } from '../../text/duration.js';
import type { OptionSpec, ValueSpec } from '../../options/option-spec.js';
import type { InputCommand } from './format-usage.js';

/** Returns the line that a user would type: named options, then values in order, by name after an omitted one. */
export function formatRawInput(command: InputCommand, values: Readonly<Record<string, unknown>>) {
  const { options } = command.spec;
  const named: string[] = [];
  const words: string[] = [];
  let inOrder = true;
  for (const option of options) {
    const { key, name, take, required, expected } = option;
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    const isAbsent = value === undefined || value === null;
    if (option.named) {
      if (!isAbsent) named.push(`--${name}=${valueText(option, value, options)}`);
    } else if (isAbsent) {
      inOrder = false;
    } else {
      const text = valueText(option, value, options);
      // Raw text cannot be quoted; it needs a name if the line would be read differently without. So does an invalid value.
      const needsName =
        (take === 'raw' && !isPlainRest(text, options)) ||
        (!required && !hasForm(textOf(option, value), expected));
      words.push(inOrder && !needsName ? text : `--${name}=${text}`);
    }
  }
  return [`/${command.name}`, ...named, ...words].join(' ');
}

function valueText(option: OptionSpec, value: unknown, options: readonly OptionSpec[]): string {
  const { item, take, named } = option;
  if (item && Array.isArray(value)) {
    const items = value.map((one) => quoteWord(textOf(item, one), options)).join(' ');
    return named ? quoteWord(items, options) : items;
  }
  const text = textOf(option, value);
  if (take === 'raw') return text;
  const isFree = take === 'rest' && isPlainRest(text, options);
  return isFree && !isSpace(text.charCodeAt(text.length - 1)) && !isOpeningQuote(text.charAt(0))
    ? text
    : quoteWord(text, options, take === 'rest');
}

/** Returns the word of a value. */
export function textOf({ expected, words }: ValueSpec, value: unknown): string {
  const isWhole = Number.isSafeInteger(value) && Number(value) >= 0;
  if (expected.kind === 'duration' && isWhole) return formatDuration(Number(value));
  if (words && typeof value === 'boolean') return words[value ? 0 : 1];
  // `String` would lose the sign.
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Returns whether a text can be the rest of the line without quotes or a name. */
const isPlainRest = (text: string, options: readonly OptionSpec[]): boolean =>
  text !== '' && !isSpace(text.charCodeAt(0)) && !matchNamedOption(text, 0, options);

/** Returns a text as one word, in quotes if needed. */
function quoteWord(text: string, options: readonly OptionSpec[], always = false): string {
  const isPlain =
    !always &&
    text !== '' &&
    !isOpeningQuote(text.charAt(0)) &&
    !matchNamedOption(text, 0, options) &&
    ![...text].some(
      (character, index, all) =>
        isSpace(character.charCodeAt(0)) || (character === '\\' && isQuote(all[index + 1] ?? '')),
    );
  return isPlain ? text : quote(text);
}
