import * as z from 'zod';
import { isRecord } from '../objects/is-object.js';

/** What was made of a value that comes from the platform. */
export type LenientReading<T> =
  | {
      readonly success: true;
      readonly data: T;
      /** What had another form than stated and was passed on as it came, `messages.1.createdAt`. */
      readonly odd: readonly string[];
    }
  /** What cannot be read. */
  | { readonly success: false; readonly field: string; readonly reason: string };

/** Besides ids: without these a value is useless. */
const NEEDED: ReadonlySet<string> = new Set([
  'messages',
  'uploadUrl',
  'objectKey',
  'url',
  'token',
  'streamKey',
  'ingressId',
]);

/** After this many odd items of a list, the others pass through as they came. */
const MAX_ODD_ITEMS = 1_000;

/** Names the value itself among its odd fields. */
const ITSELF = '';

/**
 * Reads what the platform sent by its schema, and where it has another form, as well as possible: one
 * odd field must not make a page of messages unreadable. A missing list and a list that is null are
 * empty; a number beyond 2^53 - 1 is that number; other odd fields pass through as they came. Ids, and
 * what nothing works without, are held to the schema: an item of a list without them passes through as
 * it came (null is left out), anything else is refused. The value is parsed once as a whole, and each part of
 * it once more if something in it is odd, however many are.
 */
export function readLeniently<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): LenientReading<z.output<Schema>> {
  const strict = schema.safeParse(value);
  if (strict.success) return { success: true, data: strict.data, odd: [] };
  const reading = read(schema, value);
  if (reading.success && isOdd(reading)) return refused(strict.error);
  // What is odd in it is named, and the caller knows that it is not of this type.
  return reading as LenientReading<z.output<Schema>>;
}

/** As `readLeniently`; a value that is odd itself passes as it came, with `ITSELF` in `odd`. */
function read(schema: z.core.$ZodType, value: unknown): LenientReading<unknown> {
  if (schema instanceof z.ZodArray) return readList(schema, value);
  if (schema instanceof z.ZodObject && isRecord(value)) return readObject(schema, value);
  const strict = z.safeParse(schema, value);
  if (strict.success) return { success: true, data: strict.data, odd: [] };
  if (schema instanceof z.ZodPipe) {
    const { in: before, out } = schema;
    // A transform in front brings the value into its form; one behind has nothing to work on.
    return before instanceof z.ZodTransform
      ? read(out, z.parse(before, value))
      : read(before, value);
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    if (value === undefined) return { success: true, data: null, odd: [] };
    const reading = read(schema.unwrap(), value);
    return reading.success ? reading : asItCame(value);
  }
  if (schema instanceof z.ZodGUID) return refused(strict.error);
  const isTooBig = strict.error.issues.some(
    (issue) => issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER,
  );
  return isTooBig ? { success: true, data: Number.MAX_SAFE_INTEGER, odd: [] } : asItCame(value);
}

function readList({ element }: z.ZodArray, value: unknown): LenientReading<unknown> {
  if (!Array.isArray(value)) return { success: true, data: [], odd: [ITSELF] };
  const data: unknown[] = [];
  // A list of lists: one call could not take as many arguments as there can be names.
  const odd: string[][] = [];
  let oddItems = 0;
  for (const [index, item] of value.entries()) {
    // Finding out what is wrong takes a hundred times as long as reading a valid item.
    const reading = oddItems < MAX_ODD_ITEMS ? read(element, item) : asItCame(item);
    if (!reading.success || reading.odd.length > 0) oddItems += 1;
    const each = reading.success ? reading : asItCame(item);
    odd.push(named(each.odd, index));
    if (!isOdd(each) || item !== null) data.push(each.data);
  }
  return { success: true, data, odd: odd.flat() };
}

function readObject(
  { shape }: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
): LenientReading<unknown> {
  const data = { ...value };
  const odd: string[][] = [];
  for (const [key, schema] of Object.entries(shape)) {
    const field = value[key];
    const reading = read(schema, field);
    if (!reading.success || (NEEDED.has(key) && isOdd(reading))) {
      const { field: inner, reason } = reading.success
        ? refused(z.safeParse(schema, field).error)
        : reading;
      return { success: false, field: named([inner], key).join(), reason };
    }
    const isMissing = field === undefined || field === null;
    if (!isMissing || !Array.isArray(reading.data)) odd.push(named(reading.odd, key));
    if (reading.data !== undefined) data[key] = reading.data;
  }
  return { success: true, data, odd: odd.flat() };
}

function asItCame(value: unknown) {
  return { success: true, data: value, odd: [ITSELF] } as const;
}

function isOdd({ odd }: { readonly odd: readonly string[] }): boolean {
  return odd.includes(ITSELF);
}

function named(names: readonly string[], key: PropertyKey): string[] {
  return names.map((name) => (name === ITSELF ? String(key) : `${String(key)}.${name}`));
}

function refused(error: z.core.$ZodError | undefined) {
  const { path = [], message = 'an unexpected shape' } = error?.issues[0] ?? {};
  return { success: false, field: path.join('.'), reason: message } as const;
}
