import * as z from 'zod';

/** A UUID of any version: `z.guid()`, because `z.uuid()` rejects ids with other version bits. */
export const idSchema = z.guid();

/** An ISO 8601 timestamp, with `Z` or an offset. */
export const dateTimeSchema = z.iso.datetime({ offset: true });

/** A 32-bit signed integer. */
export const int32Schema = z.int32();

/** A 64-bit integer. JSON numbers above 2^53 - 1 are rejected: they have already lost digits. */
export const int64Schema = z.int();

/** Creates a field that may be null, and reads an absent one as null, as many serializers leave null out. */
export function nullableField<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? null);
}

/** The fields that a schema names, read-only. */
export type FieldsOf<Schema extends z.ZodType> = {
  readonly [
    Field in keyof z.output<Schema> as string extends Field ? never : Field
  ]: z.output<Schema>[Field];
};
