import type { z } from 'zod';

/** Marks a schema as assumed: the Bot Interface does not specify it. Tests and documentation read the mark. */
export const assumed = <Schema extends z.ZodType>(schema: Schema, why: string): Schema =>
  schema.meta({ assumed: why });

/** Makes an assumed part lenient: in another form it passes through, and the rest stays readable. */
export function assumedPart<Part extends z.ZodType>(part: Part): z.ZodCatch<Part> {
  // The type promises the assumed form, as it does for every assumed field.
  return part.catch(({ value }) => value as z.output<Part>).meta(part.meta() ?? {});
}

/** A response body that the Bot Interface calls "not shown", with its most likely schema. */
export interface NotShown<T = unknown> {
  readonly notShown: true;
  /** Schema of the most likely body. A body that does not match is read as `undefined`. */
  readonly likely: z.ZodType<T>;
}

/** Declares a response body that the Bot Interface does not show. */
export const notShown = <T>(likely: z.ZodType<T>): NotShown<T> => ({ notShown: true, likely });
