import type { z } from 'zod';

/**
 * Marks a field that the Bot Interface does not state. The mark is data: `assumptionOf` reads it,
 * for tests and docs.
 */
export function assumed<Schema extends z.ZodType>(schema: Schema, why: string): Schema {
  return schema.meta({ assumed: why });
}

/**
 * An assumed part of a stated whole. A part in another form passes through as it came: a wrong guess
 * about it must not make the rest unreadable.
 */
export function assumedPart<Part extends z.ZodType>(part: Part): z.ZodCatch<Part> {
  // The type promises the assumed form, as it does for every assumed field.
  return part.catch(({ value }) => value as z.output<Part>).meta(part.meta() ?? {});
}

/** What a schema assumes, or `undefined` when the Bot Interface states it. */
export function assumptionOf(schema: z.ZodType): string | undefined {
  const why = schema.meta()?.['assumed'];
  return typeof why === 'string' ? why : undefined;
}

/** A response body whose shape the Bot Interface calls "not shown", with the shape it most likely has. */
export interface NotShown<T = unknown> {
  readonly notShown: true;
  /** Reads a body leniently: what parses as this is given to the caller, anything else is `undefined`. */
  readonly likely: z.ZodType<T>;
}

export function notShown<T>(likely: z.ZodType<T>): NotShown<T> {
  return { notShown: true, likely };
}
