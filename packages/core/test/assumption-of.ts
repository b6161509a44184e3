import type { z } from 'zod';

/** Returns the assumption of a schema, or `undefined` if the Bot Interface specifies the schema. */
export function assumptionOf(schema: z.ZodType): string | undefined {
  const why = schema.meta()?.['assumed'];
  return typeof why === 'string' ? why : undefined;
}
