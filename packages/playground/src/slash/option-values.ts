import type { CommandOption } from '@virgule/core/protocol';
import { parseBoolean, parseNumber, quote } from '@virgule/core/raw-input';
import type { SimChannel, SimRole, SimUser } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import { formatBytes } from '../state/format.js';

/** Forms of a string in a description, and their kinds. */
const FORMS: Readonly<Record<string, string>> = {
  duration: 'duration',
  id: 'uuid',
  message: 'message',
};

/**
 * Reads the facts at the end of the description of an option, for which the platform has no field: choices, the default choice,
 * the form of a word, and `--name` for an option that takes only a value after its name, as in
 * `Format (--format, png|svg|webp, default png)`. A choice that the end of the description cuts off is left out.
 */
export function readFacts({ name, description, type, required }: CommandOption) {
  const facts = /\(([^()]*)\)$/.exec(description.trim())?.[1] ?? '';
  const [first = '', ...others] = facts.split(', ');
  const hasName = first === `--${name}`;
  const [, list = '', defaultChoice = null] =
    /^([^|]*\|.*?)(?:, default ([^|]*))?$/.exec(hasName ? others.join(', ') : facts) ?? [];
  const choices = list
    .replace(/, (?:at (?:least|most) )?[\d-]+ values?$/, '')
    .split('|')
    .map((choice) => choice.trim())
    .filter((choice) => choice !== '');
  const whole = choices.filter((choice) => !choice.endsWith('…'));
  return {
    facts,
    choices: whole,
    defaultChoice,
    isNamed: hasName || (type === 'boolean' && !required),
    /** Kind and choices of the words that the option takes; without choices if some are cut off. */
    expected: {
      kind: type === 'string' ? (FORMS[first] ?? 'text') : type,
      choices: whole.length > 0 && whole.length === choices.length ? whole : undefined,
    },
  };
}

/** A file that can be the value of an attachment option. */
interface NameableFile {
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** Absent until the file is uploaded. */
  readonly url?: string;
}

/** Users, channels, roles and files that an option can name. */
export interface Nameable {
  readonly users: readonly SimUser[];
  readonly channels: readonly SimChannel[];
  readonly roles: readonly SimRole[];
  readonly files: readonly NameableFile[];
}

/** Returns a value as one word of a line. */
export const asWord = (name: string): string =>
  /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(name) ? name : quote(name);

/** Maximum number of suggestions; typing finds the remaining ones. */
export const MAX_LISTED = 50;

function candidates(option: CommandOption, { users, roles, channels, files }: Nameable) {
  /** Suggests a value. @param insert - text that is inserted into the line. */
  const suggest = (insert: string, detail = '', label = insert) => ({ insert, label, detail });
  const userValues = () =>
    users.map(({ username, displayName }) => suggest(`@${username}`, displayName));
  const roleValues = () =>
    roles.map(({ name, memberIds }) =>
      suggest(`@${name}`, `role, ${countOf(memberIds.length, 'member')}`),
    );
  const byType: Readonly<Record<string, () => ReturnType<typeof suggest>[]>> = {
    boolean: () => [suggest('true'), suggest('false')],
    user: userValues,
    role: roleValues,
    mentionable: () => [...userValues(), ...roleValues()],
    channel: () => channels.map(({ name, topic }) => suggest(`#${name}`, topic ?? '')),
    attachment: () => files.map(({ name, size }) => suggest(asWord(name), formatBytes(size), name)),
  };
  const { choices, defaultChoice } = readFacts(option);
  const choiceValues = () =>
    choices.map((choice) =>
      suggest(asWord(choice), choice === defaultChoice ? 'default' : '', choice),
    );
  return (byType[option.type] ?? choiceValues)();
}

/** Returns the suggested values of an option for the typed text; values that start with the text come first. */
export function suggestValues(option: CommandOption, typed: string, nameable: Nameable) {
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

/** Returns the error of a value according to its type, or null. */
export function checkValue(option: CommandOption, text: string): string | null {
  if (option.type === 'integer' && !Number.isSafeInteger(parseNumber(text)))
    return `${option.name} must be a whole number`;
  if (option.type === 'number' && parseNumber(text) === undefined)
    return `${option.name} must be a number`;
  if (option.type === 'boolean' && parseBoolean(text) === undefined)
    return `${option.name} must be true or false`;
  return null;
}
