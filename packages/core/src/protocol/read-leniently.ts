import * as z from 'zod';
import { isRecord } from '../objects/is-object.js';

/** Result of `readLeniently`. */
export type LenientReading<T> =
  | {
      readonly success: true;
      readonly data: T;
      /** Paths of the odd values, which are passed on unchanged, such as `messages.1.createdAt`. */
      readonly odd: readonly string[];
    }
  /** Field that makes the value unreadable, and the reason. */
  | { readonly success: false; readonly field: string; readonly reason: string };

/** Fields that, like ids, a value is useless without. */
const NEEDED: ReadonlySet<string> = new Set([
  'messages',
  'uploadUrl',
  'objectKey',
  'url',
  'token',
  'streamKey',
  'ingressId',
]);

/** Maximum number of odd items of a list; items after that pass through unchanged. */
const MAX_ODD_ITEMS = 1_000;

/** Name of the value itself in its list of odd fields. */
const ITSELF = '';

/**
 * Reads a value as well as possible: one odd field must not make a page of messages unreadable. A missing list is empty, a
 * number beyond 2^53 - 1 becomes 2^53 - 1, other odd fields pass through. Ids and `NEEDED` fields must match: an item of a
 * list without them passes through unchanged (null is left out), any other value is refused. The value is parsed once as a
 * whole, and each part once more if something in it is odd.
 */
export function readLeniently<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): LenientReading<z.output<Schema>> {
  const strict = schema.safeParse(value);
  if (strict.success) return { success: true, data: strict.data, odd: [] };
  const reading = read(schema, value);
  if (reading.success && isOdd(reading)) return refused(strict.error);
  // The odd parts are named in `odd`, so the caller knows that they do not have this type.
  return reading as LenientReading<z.output<Schema>>;
}

/** Reads as `readLeniently` does; a value that is odd itself passes through unchanged, with `ITSELF` in `odd`. */
function read(schema: z.core.$ZodType, value: unknown): LenientReading<unknown> {
  if (schema instanceof z.ZodArray) return readList(schema, value);
  if (schema instanceof z.ZodObject && isRecord(value)) return readObject(schema, value);
  const strict = z.safeParse(schema, value);
  if (strict.success) return { success: true, data: strict.data, odd: [] };
  if (schema instanceof z.ZodPipe) {
    const { in: before, out } = schema;
    // A transform in front converts the value; a transform behind would need a valid value.
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
  // A list of lists: a call of `push` cannot take as many arguments as there can be names.
  const odd: string[][] = [];
  let oddItems = 0;
  for (const [index, item] of value.entries()) {
    // Finding the odd fields of an item takes a hundred times as long as reading a valid item.
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

const asItCame = (value: unknown) => ({ success: true, data: value, odd: [ITSELF] }) as const;

const isOdd = ({ odd }: { readonly odd: readonly string[] }): boolean => odd.includes(ITSELF);

const named = (names: readonly string[], key: PropertyKey): string[] =>
  names.map((name) => (name === ITSELF ? String(key) : `${String(key)}.${name}`));

function refused(error: z.core.$ZodError | undefined) {
  const { path = [], message = 'an unexpected shape' } = error?.issues[0] ?? {};
  return { success: false, field: path.join('.'), reason: message } as const;
}
