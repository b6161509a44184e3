import { isOpeningQuote, isQuote, isSpace, matchNamedOption, quote } from '@virgule/core/raw-input';
import { formatDurationText } from '../options/duration-text.js';
import type { OptionSpec } from '../options/option-spec.js';
import type { InputCommand } from './format-usage.js';

/**
 * The line a user would type for these values: the inverse of `parseRawInput` for values that have a
 * text form. Values stand in the order of the options; after one that is left out they are named.
 */
export function formatRawInput(
  command: InputCommand,
  values: Readonly<Record<string, unknown>>,
): string {
  const { options } = command.spec;
  const words = [`/${command.name}`];
  let inOrder = true;
  for (const option of options) {
    const value = Object.hasOwn(values, option.name) ? values[option.name] : undefined;
    if (value === undefined || value === null) {
      inOrder = false;
      continue;
    }
    const text = textOf(option, value);
    if (option.take === 'raw') {
      // Raw text cannot be quoted: what would be read otherwise is tied to its name.
      const isSafe = inOrder && text !== '' && !isSpace(text.charCodeAt(0));
      const isText = isSafe && !matchNamedOption(text, 0, options);
      words.push(isText ? text : `--${option.name}=${text}`);
    } else {
      const safe = needsQuotes(text, option, options) ? quote(text) : text;
      words.push(inOrder ? safe : `--${option.name}=${safe}`);
    }
  }
  return words.join(' ');
}

function textOf(option: OptionSpec, value: unknown): string {
  if (option.format === 'duration' && typeof value === 'number') return formatDurationText(value);
  // `String` would lose the sign.
  if (Object.is(value, -0)) return '-0';
  return String(value);
}

function needsQuotes(text: string, option: OptionSpec, options: readonly OptionSpec[]): boolean {
  if (text === '' || isOpeningQuote(text.charAt(0))) return true;
  if (matchNamedOption(text, 0, options)) return true;
  if (option.take === 'rest') {
    return isSpace(text.charCodeAt(0)) || isSpace(text.charCodeAt(text.length - 1));
  }
  for (let index = 0; index < text.length; index += 1) {
    if (isSpace(text.charCodeAt(index))) return true;
    if (text.charAt(index) === '\\' && isQuote(text.charAt(index + 1))) return true;
  }
  return false;
}
