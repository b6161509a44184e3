import { isObject } from '@virgule/core/objects';

/** Reason why a schema cannot be an option. */
export interface Unsupported {
  /** Description of the schema, as in "is a date". */
  readonly saw: string;
  /** Advice on a schema to use instead. */
  readonly advice: string;
}

const SPLIT = 'Use a list, z.array(z.string()), or split a string with .transform().';
const FLATTEN = 'Make each of its keys an option.';
const NAME_THE_TYPE =
  'Name a type, such as z.string() or z.int(), or add .meta({ optionType: "string" }) to say what users type.';

const UNSUPPORTED: Readonly<Record<string, Unsupported>> = {
  'zod 3': { saw: 'not a zod 4 schema', advice: 'Create it with z from zod 4: npm install zod@4.' },
  coerced: {
    saw: 'a coerced boolean, for which "false" is true',
    advice: 'Use z.boolean(), which reads yes/no, on/off, true/false and 1/0.',
  },
  date: {
    saw: 'a date',
    advice: 'Use z.iso.date() or z.iso.datetime(), and convert it with .transform().',
  },
  bigint: { saw: 'a bigint', advice: 'Use z.int(), or z.string().transform(BigInt).' },
  object: { saw: 'an object', advice: FLATTEN },
  record: { saw: 'a record', advice: FLATTEN },
  map: { saw: 'a map', advice: FLATTEN },
  array: {
    saw: 'a list of values that one word cannot contain',
    advice: 'Use a list of strings, numbers or choices, such as z.array(z.string()).',
  },
  tuple: { saw: 'a tuple', advice: SPLIT },
  set: { saw: 'a set', advice: SPLIT },
  file: { saw: 'a file', advice: 'Use option.attachment().' },
  union: {
    saw: 'a union of different types',
    advice: 'Use one type: z.enum([...]), or z.string() with .transform().',
  },
};

/** Returns the reason why a schema of a type cannot be an option. */
export const unsupported = (type: string): Unsupported =>
  UNSUPPORTED[type] ?? { saw: `of the type "${type}"`, advice: NAME_THE_TYPE };

/** The parts of a definition that this module uses. Every version of zod 4 has them. */
interface Definition {
  readonly type: string;
  readonly shape?: unknown;
}

/** Returns the definition of a zod 4 schema of any copy of zod; `null` for other values. */
export function definitionOf(schema: unknown): Definition | null {
  const { def }: { readonly def?: unknown } = Object(Object(schema)._zod);
  // Every zod 4 schema has a definition with a type name; the other members are unknown.
  return isObject(def) ? (def as Definition) : null;
}
