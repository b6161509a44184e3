import type { LineOption } from './line-option.js';
import { isSpace } from './white-space.js';

/** An option that is named in the line. */
export interface NamedOption<Option extends LineOption = LineOption> {
  /** The index of the option in the list of options. */
  readonly index: number;
  readonly option: Option;
  /** `--name value`; `--name=value` or `name:value`; `--no-name`. */
  readonly form: 'separate' | 'joined' | 'negated';
  /** The index of the value; for `separate`, the index of the white space before the value. */
  readonly valueAt: number;
}

/** The characters of a name, from the index of the search on. */
const NAME = /[\w-]*/y;

/** Returns the option of `options` that is named at index `from`; `null` if the word there is text. */
export function matchNamedOption<Option extends LineOption>(
  line: string,
  from: number,
  options: readonly Option[],
): NamedOption<Option> | null {
  // Phones replace two dashes with one long dash.
  const dashes = line.startsWith('--', from) ? 2 : line.charAt(from) === '—' ? 1 : 0;
  const nameAt = from + dashes;
  NAME.lastIndex = nameAt;
  NAME.test(line);
  const end = NAME.lastIndex;
  if (end === nameAt) return null;
  const atWordEnd = end === line.length || isSpace(line.charCodeAt(end));

  if (dashes === 0) {
    if (line.charAt(end) !== ':' || end + 1 === line.length) return null;
    // A URL is not a named option, even if an option has the name of its scheme.
    if (isSpace(line.charCodeAt(end + 1)) || line.startsWith('//', end + 1)) return null;
    return find(options, line.slice(nameAt, end).toLowerCase(), 'joined', end + 1);
  }
  const name = line.slice(nameAt, end).toLowerCase();
  if (line.charAt(end) === '=') return find(options, name, 'joined', end + 1);
  if (!atWordEnd) return null;
  const named = find(options, name, 'separate', end);
  if (named || !name.startsWith('no-')) return named;
  const negated = find(options, name.slice(3), 'negated', end);
  return negated?.option.negatable === true ? negated : null;
}

function find<Option extends LineOption>(
  options: readonly Option[],
  name: string,
  form: NamedOption['form'],
  valueAt: number,
): NamedOption<Option> | null {
  const index = options.findIndex((option) => option.name === name);
  const option = options[index];
  return option ? { index, option, form, valueAt } : null;
}
