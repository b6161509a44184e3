import type { CommandOption } from '@virgule/core/protocol';
import { parseBoolean, parseNumber, quote } from '@virgule/core/raw-input';
import type { SimChannel, SimUser } from '@virgule/core/simulator-api';
import { formatBytes } from '../state/format.js';

/** A suggested value of an option. */
export interface ValueSuggestion {
  /** Text that is inserted into the line. */
  readonly insert: string;
  readonly label: string;
  readonly detail: string;
}

/** A file that the value of an attachment option can be. */
interface NameableFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly url: string;
}

/** What an option can refer to by name. */
export interface Nameable {
  readonly users: readonly SimUser[];
  readonly channels: readonly SimChannel[];
  readonly files: readonly NameableFile[];
}

/** Returns the name of a file as one word of a line. */
export function fileWord(name: string): string {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(name) ? name : quote(name);
}

const MAX_LISTED = 8;

function candidates(type: string, nameable: Nameable): readonly ValueSuggestion[] {
  switch (type) {
    case 'boolean':
      return ['true', 'false'].map((word) => ({ insert: word, label: word, detail: '' }));
    case 'user':
    case 'mentionable':
      return nameable.users.map((user) => ({
        insert: `@${user.username}`,
        label: `@${user.username}`,
        detail: user.displayName,
      }));
    case 'channel':
      return nameable.channels.map((channel) => ({
        insert: `#${channel.name}`,
        label: `#${channel.name}`,
        detail: channel.topic ?? '',
      }));
    case 'attachment':
      return nameable.files.map(({ name, size }) => ({
        insert: fileWord(name),
        label: name,
        detail: formatBytes(size),
      }));
    default:
      return [];
  }
}

/** Returns the suggested values of an option for the typed text; those that start with it come first. */
export function suggestValues(
  option: CommandOption,
  typed: string,
  nameable: Nameable,
): readonly ValueSuggestion[] {
  const wanted = typed.toLowerCase().replace(/^[@#]/, '');
  const plain = (text: string) => text.toLowerCase().replace(/^[@#]/, '');
  const all = candidates(option.type, nameable);
  const first = all.filter((item) => plain(item.label).startsWith(wanted));
  const others = all.filter(
    (item) =>
      !first.includes(item) &&
      (plain(item.label).includes(wanted) || item.detail.toLowerCase().includes(wanted)),
  );
  return [...first, ...others].slice(0, MAX_LISTED);
}

/** Returns what is wrong with a value according to its type, or null. */
export function checkValue(option: CommandOption, text: string): string | null {
  if (option.type === 'integer' && !Number.isSafeInteger(parseNumber(text))) {
    return `${option.name} must be a whole number`;
  }
  if (option.type === 'number' && parseNumber(text) === undefined) {
    return `${option.name} must be a number`;
  }
  if (option.type === 'boolean' && parseBoolean(text) === undefined) {
    return `${option.name} must be true or false`;
  }
  return null;
}
