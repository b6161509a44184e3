import type { CommandOption } from '@virgule/core/protocol';
import { parseBoolean, parseNumber, quote } from '@virgule/core/raw-input';
import type { SimChannel, SimRole, SimServer, SimUser } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import { formatBytes } from '../state/format.js';
import { readChoices } from './read-choices.js';

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
  readonly roles: readonly SimRole[];
  readonly files: readonly NameableFile[];
}

/** Returns what options can refer to in a server. */
export function nameableIn(
  { id, memberIds }: SimServer,
  world: Omit<Nameable, 'files'>,
  files: Nameable['files'],
): Nameable {
  return {
    files,
    users: world.users.filter((user) => memberIds.length === 0 || memberIds.includes(user.id)),
    channels: world.channels.filter(({ serverId }) => serverId === id),
    roles: world.roles.filter(({ serverId }) => serverId === id),
  };
}

/** Returns a value as one word of a line. */
export function asWord(name: string): string {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(name) ? name : quote(name);
}

/** Maximum number of suggestions; typing finds the others. */
const MAX_LISTED = 50;

function userValues({ users }: Nameable): readonly ValueSuggestion[] {
  return users.map(({ username, displayName }) => {
    const name = `@${username}`;
    return { insert: name, label: name, detail: displayName };
  });
}

function roleValues({ roles }: Nameable): readonly ValueSuggestion[] {
  return roles.map(({ name: bare, memberIds }) => {
    const name = `@${bare}`;
    return { insert: name, label: name, detail: `role, ${countOf(memberIds.length, 'member')}` };
  });
}

function candidates(option: CommandOption, nameable: Nameable): readonly ValueSuggestion[] {
  switch (option.type) {
    case 'boolean':
      return ['true', 'false'].map((word) => ({ insert: word, label: word, detail: '' }));
    case 'user':
      return userValues(nameable);
    case 'role':
      return roleValues(nameable);
    case 'mentionable':
      return [...userValues(nameable), ...roleValues(nameable)];
    case 'channel':
      return nameable.channels.map((channel) => ({
        insert: `#${channel.name}`,
        label: `#${channel.name}`,
        detail: channel.topic ?? '',
      }));
    case 'attachment':
      return nameable.files.map(({ name, size }) => ({
        insert: asWord(name),
        label: name,
        detail: formatBytes(size),
      }));
    default: {
      const { choices, defaultChoice } = readChoices(option.description);
      return choices.map((choice) => ({
        insert: asWord(choice),
        label: choice,
        detail: choice === defaultChoice ? 'default' : '',
      }));
    }
  }
}

/** Returns the suggested values of an option for the typed text; those that start with it come first. */
export function suggestValues(
  option: CommandOption,
  typed: string,
  nameable: Nameable,
): readonly ValueSuggestion[] {
  const wanted = typed.toLowerCase().replace(/^[@#"]/, '');
  const plain = (text: string) => text.toLowerCase().replace(/^[@#]/, '');
  const all = candidates(option, nameable);
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
