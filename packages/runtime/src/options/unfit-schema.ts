import type { z } from 'zod';

/** Why a schema cannot be an option. */
export interface Unfit {
  /** What it is, as in "is a date". */
  readonly saw: string;
  /** What to write instead. */
  readonly advice: string;
}

const SPLIT = 'Take a text and split it: z.string().transform((text) => text.split(",")).';
const FLATTEN = 'Give each of its keys an option of its own.';
const NAME_THE_TYPE =
  'Name a type, such as z.string() or z.int(), or add .meta({ optionType: "string" }) to say what users type.';

const UNFIT: Readonly<Record<string, Unfit>> = {
  date: {
    saw: 'a date',
    advice:
      'Take a text: z.iso.date() or z.iso.datetime(), and make a Date of it with .transform().',
  },
  bigint: { saw: 'a bigint', advice: 'Take z.int(), or a text: z.string().transform(BigInt).' },
  object: { saw: 'an object', advice: FLATTEN },
  record: { saw: 'a record', advice: FLATTEN },
  map: { saw: 'a map', advice: FLATTEN },
  array: { saw: 'a list', advice: SPLIT },
  tuple: { saw: 'a tuple', advice: SPLIT },
  set: { saw: 'a set', advice: SPLIT },
  file: { saw: 'a file', advice: 'Take option.attachment().' },
  any: { saw: 'of any type', advice: NAME_THE_TYPE },
  unknown: { saw: 'of an unknown type', advice: NAME_THE_TYPE },
  custom: { saw: 'of a custom type', advice: NAME_THE_TYPE },
  union: {
    saw: 'a union of different types',
    advice: 'Take one type: z.enum([...]), or a text that .transform() tells apart.',
  },
};

const COERCED_BOOLEAN: Unfit = {
  saw: 'a coerced boolean, for which "false" is true',
  advice: 'Use z.boolean(): yes/no, on/off, true/false and 1/0 are read for you.',
};

const ZOD_3: Unfit = {
  saw: 'not a zod 4 schema',
  advice: 'Make it with z from zod 4: npm install zod@4.',
};

/**
 * What keeps a schema from being an option. It looks only at the way from typed text to the schema,
 * and at coercions that would lie further on.
 */
export function unfitSchema(schema: unknown): Unfit | null {
  return lookAt(schema, true, 0);
}

/** What to say of a schema whose JSON form told nothing that text can hold. */
export function unfitByType(schema: z.ZodType): Unfit {
  const type = innermostType(schema);
  return UNFIT[type] ?? { saw: `of the type "${type}"`, advice: NAME_THE_TYPE };
}

/** Schemas may refer to themselves; no honest option nests deeper. */
const MAX_DEPTH = 50;

function lookAt(schema: unknown, onInput: boolean, depth: number): Unfit | null {
  if (depth > MAX_DEPTH) return null;
  const def = definitionOf(schema);
  if (!def) return ZOD_3;
  if (def.type === 'boolean' && def.coerce === true) return COERCED_BOOLEAN;
  // zod describes a file as a text, and a date not at all.
  if (onInput && (def.type === 'date' || def.type === 'file')) return UNFIT[def.type] ?? null;
  for (const { inner, isInput } of inside(def)) {
    const unfit = lookAt(inner, onInput && isInput, depth + 1);
    if (unfit) return unfit;
  }
  return null;
}

function innermostType(schema: unknown): string {
  let current = schema;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const def = definitionOf(current);
    if (!def) break;
    const [next] = inside(def).filter((part) => part.isInput);
    if (!next || def.type === 'union') return def.type;
    current = next.inner;
  }
  return 'unknown';
}

/** The schemas that a schema hands its value to. */
function inside(def: Definition): { inner: unknown; isInput: boolean }[] {
  if (def.type === 'pipe') {
    // z.preprocess() is a pipe that starts with a function: what follows it is what users type.
    const startsWithFunction = definitionOf(def.in)?.type === 'transform';
    return [
      { inner: def.in, isInput: !startsWithFunction },
      { inner: def.out, isInput: startsWithFunction },
    ];
  }
  if (def.innerType !== undefined) return [{ inner: def.innerType, isInput: true }];
  if (Array.isArray(def.options)) return def.options.map((inner) => ({ inner, isInput: true }));
  if (typeof def.getter === 'function') return [{ inner: def.getter(), isInput: true }];
  return [];
}

/** The parts of a definition that are read here. Present in every copy of zod 4. */
interface Definition {
  readonly type: string;
  readonly coerce?: unknown;
  readonly innerType?: unknown;
  readonly in?: unknown;
  readonly out?: unknown;
  readonly options?: unknown;
  readonly getter?: unknown;
}

function definitionOf(schema: unknown): Definition | null {
  if (typeof schema !== 'object' || schema === null || !('_zod' in schema)) return null;
  const { _zod } = schema;
  if (typeof _zod !== 'object' || _zod === null || !('def' in _zod)) return null;
  // Every zod 4 schema carries its definition with a type name; the rest is read as unknown.
  return _zod.def as Definition;
}
