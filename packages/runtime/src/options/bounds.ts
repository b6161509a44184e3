import type { ExpectedValue } from '../errors/error-guards.js';

type Bounds = ExpectedValue['bounds'];

const BOUNDS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
] as const satisfies readonly (keyof Bounds)[];

/** Bounds that a type of zod implies. */
const IMPLIED: ReadonlySet<unknown> = new Set([
  Number.MIN_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER,
  -(2 ** 31),
  2 ** 31 - 1,
  2 ** 32 - 1,
  -Number.MAX_VALUE,
  Number.MAX_VALUE,
  -Math.fround(3.4028234663852886e38),
  Math.fround(3.4028234663852886e38),
]);

/** Returns the bounds of a JSON schema, without the bounds that its type implies. */
export const boundsOf = (schema: Readonly<Record<string, unknown>>): Bounds =>
  Object.fromEntries(
    BOUNDS.flatMap((bound) => {
      const value = schema[bound];
      return typeof value === 'number' && !IMPLIED.has(value) ? [[bound, value]] : [];
    }),
  );
