import type { OptionSpec } from '../options/option-spec.js';
import { isSpace } from './white-space.js';

/** An option that is named in the line. */
export interface NamedOption {
  /** Its place among the options. */
  readonly index: number;
  readonly option: OptionSpec;
  /** `--name value`, or `--name=value` and `name:value`, or `--no-name`. */
  readonly form: 'apart' | 'glued' | 'negated';
  /** The index where its value starts, or, when it stands apart, where the white space before it does. */
  readonly valueAt: number;
}

const isNameCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  code === 45 ||
  code === 95;

/** The option that the word at `from` names; `null` when the word is text. Only declared names count. */
export function matchNamedOption(
  line: string,
  from: number,
  options: readonly OptionSpec[],
): NamedOption | null {
  // Phones make one long dash of two.
  const dashes = line.startsWith('--', from) ? 2 : line.charAt(from) === '—' ? 1 : 0;
  const nameAt = from + dashes;
  let end = nameAt;
  while (end < line.length && isNameCode(line.charCodeAt(end))) end += 1;
  if (end === nameAt) return null;
  const atWordEnd = end === line.length || isSpace(line.charCodeAt(end));

  if (dashes === 0) {
    if (line.charAt(end) !== ':' || end + 1 === line.length) return null;
    // An address is not a named option, even where an option is called like its scheme.
    if (isSpace(line.charCodeAt(end + 1)) || line.startsWith('//', end + 1)) return null;
    return find(options, line.slice(nameAt, end), 'glued', end + 1);
  }
  const name = line.slice(nameAt, end).toLowerCase();
  if (line.charAt(end) === '=') return find(options, name, 'glued', end + 1);
  if (!atWordEnd) return null;
  const named = find(options, name, 'apart', end);
  if (named || !name.startsWith('no-')) return named;
  const negated = find(options, name.slice(3), 'negated', end);
  return negated?.option.negatable === true ? negated : null;
}

function find(
  options: readonly OptionSpec[],
  name: string,
  form: NamedOption['form'],
  valueAt: number,
): NamedOption | null {
  const index = options.findIndex((option) => option.name === name);
  const option = options[index];
  return option ? { index, option, form, valueAt } : null;
}
