import { errorText } from '@virgule/core/errors';
import { describeSeen, isObject } from '@virgule/core/objects';
import type { z } from 'zod';
import { definitionOf, type Unsupported } from './unsupported-schema.js';

/** Description of a value that is no zod 4 object, with advice if there is any. */
type Refusal = Pick<Unsupported, 'saw'> & Partial<Unsupported>;

const FLAT =
  'Use z.object({ … }) itself, and .optional(), .default() or .transform() on the single options.';

/**
 * Returns the fields of a zod 4 object in the order of the keys. Schemas are recognized by their members, not by
 * their class, so that schemas of another copy of zod are recognized too.
 */
export function readOptionsObject(
  schema: unknown,
): { readonly schema: z.ZodType; readonly fields: [name: string, field: z.ZodType][] } | Refusal {
  if (!isObject(schema)) return { saw: describeSeen(schema) };
  if (!('_zod' in schema)) return notZod4(schema);
  const def = definitionOf(schema);
  if (!def) return { saw: 'a schema without a definition' };
  if (def.type !== 'object') return { saw: `a zod ${def.type}`, advice: FLAT };
  try {
    // A schema of type `object` has the shape and the methods of every zod 4 object.
    const shape = def.shape as Readonly<Record<string, z.ZodType>>;
    return { schema: schema as z.ZodType, fields: Object.entries(shape) };
  } catch (error) {
    // Keys may be getters, which allow schemas to refer to each other.
    const reason = errorText(error);
    return { saw: `an object whose keys cannot be read (${reason})` };
  }
}

function notZod4(value: object): Refusal {
  if ('_def' in value) {
    return {
      saw: 'a schema of zod 3',
      advice: 'Install zod 4 (npm install zod@4) and import z from "zod".',
    };
  }
  return !Array.isArray(value) && Object.values(value).some(isZod)
    ? { saw: 'a plain object of schemas', advice: 'Wrap it: z.object({ … }).' }
    : { saw: describeSeen(value) };
}

const isZod = (value: unknown): boolean => isObject(value) && ('_zod' in value || '_def' in value);
