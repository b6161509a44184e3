import { isObject } from '@virgule/core/objects';
import type { z } from 'zod';

/** Why a schema cannot be an option. */
export interface Unsupported {
  /** What it is, as in "is a date". */
  readonly saw: string;
  /** What to write instead. */
  readonly advice: string;
}

const SPLIT = 'Use a list, z.array(z.string()), or split a string with .transform().';
const FLATTEN = 'Make each of its keys an option.';
const NAME_THE_TYPE =
  'Name a type, such as z.string() or z.int(), or add .meta({ optionType: "string" }) to say what users type.';

const UNSUPPORTED: Readonly<Record<string, Unsupported>> = {
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
  any: { saw: 'of any type', advice: NAME_THE_TYPE },
  unknown: { saw: 'of an unknown type', advice: NAME_THE_TYPE },
  custom: { saw: 'of a custom type', advice: NAME_THE_TYPE },
  union: {
    saw: 'a union of different types',
    advice: 'Use one type: z.enum([...]), or z.string() with .transform().',
  },
};

const COERCED_BOOLEAN: Unsupported = {
  saw: 'a coerced boolean, for which "false" is true',
  advice: 'Use z.boolean(), which reads yes/no, on/off, true/false and 1/0.',
};

const ZOD_3: Unsupported = {
  saw: 'not a zod 4 schema',
  advice: 'Create it with z from zod 4: npm install zod@4.',
};

/**
 * Returns why a schema cannot be an option, or `null`. Checks the path from the typed string to the
 * schema, and coercions after it.
 */
export function unsupportedSchema(schema: unknown): Unsupported | null {
  return check(schema, true, 0);
}

/** Returns why a schema cannot be an option if its JSON form has no type that a string can represent. */
export function unsupportedByType(schema: z.ZodType): Unsupported {
  const type = innermostType(schema);
  return UNSUPPORTED[type] ?? { saw: `of the type "${type}"`, advice: NAME_THE_TYPE };
}

/** Schemas may refer to themselves. */
const MAX_DEPTH = 50;

function check(schema: unknown, onInput: boolean, depth: number): Unsupported | null {
  if (depth > MAX_DEPTH) return null;
  const def = definitionOf(schema);
  if (!def) return ZOD_3;
  if (def.type === 'boolean' && def.coerce === true) return COERCED_BOOLEAN;
  // In JSON Schema, a file is a string, and a date has no type.
  if (onInput && (def.type === 'date' || def.type === 'file')) return UNSUPPORTED[def.type] ?? null;
  for (const { inner, isInput } of inside(def)) {
    const unsupported = check(inner, onInput && isInput, depth + 1);
    if (unsupported) return unsupported;
  }
  return null;
}

function innermostType(schema: unknown): string {
  let current = schema;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const def = definitionOf(current);
    if (!def) break;
    const [next] = inside(def).filter((part) => part.isInput);
    if (!next || def.type === 'union' || def.type === 'array') return def.type;
    current = next.inner;
  }
  return 'unknown';
}

/** Returns the schemas to which a schema passes its value. */
export function inside(def: Definition): { inner: unknown; isInput: boolean }[] {
  if (def.type === 'pipe') {
    // z.preprocess() is a pipe that starts with a function: users type the input of what follows.
    const startsWithFunction = definitionOf(def.in)?.type === 'transform';
    return [
      { inner: def.in, isInput: !startsWithFunction },
      { inner: def.out, isInput: startsWithFunction },
    ];
  }
  const { innerType, element, options = [], getter } = def;
  const parts: readonly unknown[] = [
    innerType,
    element,
    ...(Array.isArray(options) ? options : []),
    typeof getter === 'function' ? getter() : undefined,
  ];
  return parts.flatMap((inner) => (inner === undefined ? [] : [{ inner, isInput: true }]));
}

/** The parts of a definition that are used here. Present in every copy of zod 4. */
interface Definition {
  readonly type: string;
  readonly coerce?: unknown;
  readonly innerType?: unknown;
  readonly element?: unknown;
  readonly in?: unknown;
  readonly out?: unknown;
  readonly options?: unknown;
  readonly getter?: unknown;
  readonly shape?: unknown;
  readonly defaultValue?: unknown;
  readonly catchValue?: unknown;
}

/** Returns the definition of a zod 4 schema, of any copy of zod; `null` if it is none. */
export function definitionOf(schema: unknown): Definition | null {
  if (!isObject(schema) || !('_zod' in schema)) return null;
  const { _zod } = schema;
  if (!isObject(_zod) || !('def' in _zod) || !isObject(_zod.def)) return null;
  // Every zod 4 schema carries its definition with a type name; everything else is unknown.
  return _zod.def as Definition;
}
