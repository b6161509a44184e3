import type { CommandOption } from '@virgule/core/protocol';
import { readJson } from '../net/request-error.js';
import { readFacts, suggestValues, type Nameable } from '../slash/option-values.js';

/** Values of a form, by field; a field that was never changed has none. A boolean is `yes` or `no`. */
export type FormValues = Readonly<Record<string, string>>;

/** A field of a form: its name and the schema of its values, whose types are those of JSON schema and of options. */
export interface FormField {
  readonly name: string;
  /** @defaultValue `name` */
  readonly label?: string;
  /** `json` for any JSON. */
  readonly type?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly default?: unknown;
  readonly description?: string;
  readonly isOptional?: boolean;
  /** Value until the field is changed. @defaultValue empty */
  readonly initial?: string | undefined;
  /** Labels of all values, such as the names of users by their ids. */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /** The only text that the field accepts. */
  readonly only?: string | undefined;
  /** Number of lines of a field for JSON. */
  readonly rows?: number;
}

/** Returns the values of a form, without spaces around them. */
export const givenValues = (fields: readonly FormField[], values: FormValues): FormValues =>
  Object.fromEntries(
    fields.map(({ name, initial = '' }) => [name, (values[name] ?? initial).trim()]),
  );

/** Returns a value as the text of its field. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the type of a field for readers: `integer, 1 to 5, optional`. */
export function typeText(field: FormField): string {
  const { type = '', minimum: min, maximum, maxLength: max = maximum, isOptional } = field;
  const given = typeof field.default === 'string' ? field.default : JSON.stringify(field.default);
  const facts = [
    field.enum ? 'enum' : type,
    min !== undefined && (max === undefined ? `at least ${min}` : `${min} to ${max}`),
    min === undefined && max !== undefined && `at most ${max}`,
    given === undefined ? isOptional && 'optional' : `default ${given}`,
  ];
  return facts.filter(Boolean).join(', ');
}

/** Bounds at the end of a description: `2-1000`, `-5 to 5`, `at most 200 characters`. */
const BOUNDS =
  /(?:^|, )(?:(-?[\d.]+)(?:-| to )(-?[\d.]+)|at least (-?[\d.]+)|at most (-?[\d.]+))( characters?)?(?=,|$)/;

/** Descriptions of options without a description, which only repeat the type. */
const GENERIC =
  /^(?:Text|Whole number|Number|Yes or no|User|Channel|Role|User or role|Attachment|Values)$/;

/** Returns the field for an option of a command, whose facts are at the end of its description. */
export function fieldOfOption(option: CommandOption, nameable: Nameable): FormField {
  const { name, type, description, required } = option;
  const { facts, expected } = readFacts(option);
  const [bounds, least, most, from = least, to = most, isLength] = BOUNDS.exec(facts) ?? [];
  const [, fallback] = /(?:^|, )default (.*)$/.exec(facts) ?? [];
  const isRead = expected.choices ?? bounds ?? fallback;
  const about = isRead ? description.slice(0, -facts.length - 2).trim() : description;
  const named = suggestValues(option, '', nameable).map(({ insert, label, detail }) => [
    insert,
    type === 'user' ? detail : label,
  ]);
  return {
    name,
    type,
    enum: expected.choices,
    minimum: from === undefined ? undefined : Number(from),
    [isLength ? 'maxLength' : 'maximum']: to === undefined ? undefined : Number(to),
    default: type === 'boolean' && fallback ? fallback === 'true' : fallback,
    description: GENERIC.test(about) ? '' : about,
    isOptional: !required,
    initial: required && type === 'boolean' ? 'no' : undefined,
    names: /^(?:user|role|mentionable|channel)$/.test(type) ? Object.fromEntries(named) : undefined,
  };
}

/** Returns the names of users and channels by their ids. */
export const namesOf = ({ users, channels }: Pick<Nameable, 'users' | 'channels'>) => ({
  user: Object.fromEntries(users.map(({ id, displayName }) => [id, displayName])),
  channel: Object.fromEntries(channels.map(({ id, name }) => [id, name])),
});

/** The parts of the JSON schema of a payload that a form shows. */
export interface PayloadSchema {
  readonly properties?: Readonly<Record<string, Omit<FormField, 'name'>>>;
  readonly required?: readonly string[];
}

/**
 * Returns the fields for the properties of a payload.
 *
 * @param names - labels of ids by the kind of the property, such as `user` for `userId`.
 * @param latest - the values until the fields are changed.
 */
export const fieldsOfSchema = (
  { properties = {}, required = [] }: PayloadSchema,
  names: Readonly<Record<string, FormField['names']>>,
  latest: Readonly<Record<string, unknown>> = {},
): readonly FormField[] =>
  Object.entries(properties).map(([name, property]) => {
    const { type = 'json', minimum = -Infinity, maximum = Infinity } = property;
    const kind = (type === 'string' && name.toLowerCase().replace(/id$/, '')) || '';
    return {
      ...property,
      name,
      type: names[kind] ? kind : type,
      names: names[kind],
      minimum: minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined,
      maximum: maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined,
      isOptional: !required.includes(name),
      initial: textOf(latest[name]),
    };
  });

/** Returns the payload with the values of a form. @throws RequestError for invalid JSON */
export const payloadOf = (fields: readonly FormField[], values: FormValues): object =>
  Object.fromEntries(
    fields.flatMap(({ name, type, isOptional, names, enum: choices }) => {
      const text = values[name] ?? '';
      if (text === '' && isOptional) return [];
      if (choices) return [[name, choices.find((each) => String(each) === text)]];
      if (type === 'boolean') return [[name, text === 'yes']];
      return [[name, type === 'string' || names ? text : readJson(text, `${name} is not JSON.`)]];
    }),
  );
