import * as z from 'zod';
import type { $ZodPipeDef, $ZodType, $ZodTypes } from 'zod/v4/core';

/** A schema without the schemas around it, such as those of `.optional()` and `.default()`. */
export interface Unwrapped {
  readonly inner: $ZodTypes;
  /** Metadata of all levels, set through `.meta()` and `.describe()`. The outer levels win. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly nullable: boolean;
  /** Functions that read the defaults of what is typed. A default of a converted value is not one of them. */
  readonly defaults: readonly (() => unknown)[];
}

/** Maximum number of levels. A deeper schema refers to itself. */
const MAX_DEPTH = 20;

/**
 * Returns the innermost schema: of what is typed (`input`), or of the result (`output`). It reads the definitions that
 * every copy of zod 4 has: the JSON schema of zod has the same facts, but takes several times as long.
 */
export function unwrap(schema: $ZodType, io: 'input' | 'output' = 'input'): Unwrapped {
  let meta: Unwrapped['meta'] = {};
  let nullable = false;
  const defaults: (() => unknown)[] = [];
  const results: (() => unknown)[] = [];
  let inner = schema as $ZodTypes;
  for (let depth = 0; ; depth += 1) {
    const { def } = inner._zod;
    meta = { ...z.globalRegistry.get(inner), ...meta };
    if (def.type === 'nullable') nullable = true;
    else if (def.type === 'prefault') defaults.push(() => def.defaultValue);
    else if (def.type === 'default') results.push(() => def.defaultValue);
    else if (def.type === 'catch') results.push(() => def.catchValue(undefined as never));
    else if (def.type === 'pipe' && isConversion(def)) results.length = 0;
    const next = nextOf(def, io);
    if (!next || depth === MAX_DEPTH)
      return { inner, meta, nullable, defaults: [...results, ...defaults] };
    inner = next as $ZodTypes;
  }
}

/** Returns whether a pipe calls a function of the author. */
const isConversion = (def: $ZodPipeDef): boolean =>
  'transform' in def || [def.in, def.out].some(({ _zod }) => _zod.def.type === 'transform');

/** Returns the schema that a definition wraps; `undefined` if it wraps none. */
function nextOf(def: $ZodTypes['_zod']['def'], io: 'input' | 'output'): $ZodType | undefined {
  if (def.type === 'lazy') return def.getter();
  if (def.type !== 'pipe') return 'innerType' in def ? def.innerType : undefined;
  // `z.preprocess` begins with a function, whose input can be anything.
  return io === 'output' || def.in._zod.def.type === 'transform' ? def.out : def.in;
}

/** Returns the only values that a schema accepts, if it lists them: the values of an enum or of literals. */
export function choicesOf({ _zod: { def, values } }: $ZodTypes): readonly unknown[] | undefined {
  if (def.type !== 'enum' && def.type !== 'literal') return undefined;
  return [...(values ?? [])].filter((value) => value !== undefined);
}
