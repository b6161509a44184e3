import type { z } from 'zod';

/**
 * Marks a schema as assumed: the Bot Interface does not specify it. `assumptionOf` reads the mark, for
 * tests and documentation.
 */
export function assumed<Schema extends z.ZodType>(schema: Schema, why: string): Schema {
  return schema.meta({ assumed: why });
}

/**
 * Makes an assumed part of a specified schema lenient. A part in another form passes through unchanged: a wrong
 * assumption about a part must not make the rest unreadable.
 */
export function assumedPart<Part extends z.ZodType>(part: Part): z.ZodCatch<Part> {
  // The type promises the assumed form, as it does for every assumed field.
  return part.catch(({ value }) => value as z.output<Part>).meta(part.meta() ?? {});
}

/** Returns the assumption of a schema, or `undefined` if the Bot Interface specifies the schema. */
export function assumptionOf(schema: z.ZodType): string | undefined {
  const why = schema.meta()?.['assumed'];
  return typeof why === 'string' ? why : undefined;
}

/** A response body that the Bot Interface calls "not shown", with its most likely schema. */
export interface NotShown<T = unknown> {
  readonly notShown: true;
  /** Schema of the most likely body. A body that does not match is read as `undefined`. */
  readonly likely: z.ZodType<T>;
}

/** Declares a response body that the Bot Interface does not show. */
export function notShown<T>(likely: z.ZodType<T>): NotShown<T> {
  return { notShown: true, likely };
}
