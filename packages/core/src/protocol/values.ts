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
export const nullableField = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? null);

/** The fields that a schema names, read-only. */
export type FieldsOf<Schema extends z.ZodType> = Fields<z.output<Schema>>;

/** The named fields of a value that a schema reads, read-only with the lists and objects in them. */
export type Fields<Value> = {
  readonly [Field in keyof Value as string extends Field ? never : Field]: ReadOnly<Value[Field]>;
};
type ReadOnly<Value> = Value extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : Value extends object
    ? // A record has no named fields.
      keyof Fields<Value> extends never
      ? Readonly<Value>
      : Fields<Value>
    : Value;
