import type * as z from 'zod';
import { isObject } from '../objects/is-object.js';

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

type Path = readonly PropertyKey[];

/** A value that is replaced while the rest is parsed. */
interface Placeholder {
  readonly path: Path;
  readonly original: unknown;
  /** What was wrong with the original. */
  readonly issue: z.core.$ZodIssue;
  tries: number;
  /** Whether the placeholder stays. */
  stays: boolean;
}

/** An item of a list that is left out while the rest is parsed. */
interface OddItem {
  readonly list: Path;
  readonly index: number;
}

/** Besides ids: without these a value is useless. */
const NEEDED: ReadonlySet<PropertyKey | undefined> = new Set([
  'messages',
  'uploadUrl',
  'objectKey',
  'url',
  'token',
  'streamKey',
  'ingressId',
]);

/** Placeholders for a value of another type, and for one in another format. */
const BY_TYPE: Readonly<Record<string, () => unknown>> = {
  string: () => '',
  number: () => 0,
  int: () => 0,
  boolean: () => false,
  array: () => [],
  object: () => ({}),
  record: () => ({}),
};
const BY_FORMAT: Readonly<Record<string, string>> = { datetime: '1970-01-01T00:00:00Z' };

/** More than what a value of the platform can need: each odd item of a list takes one. */
const MAX_ROUNDS = 1_000;

/**
 * Reads what the platform sent by its schema, and where it has another form, as well as possible: one
 * odd field must not make a page of messages unreadable. A missing list and a list that is null are
 * empty; a number beyond 2^53 - 1 is that number; other odd fields pass through as they came. Ids, and
 * what nothing works without, are held to the schema: an item of a list without them passes through as
 * it came (null is left out), anything else is refused.
 */
export function readLeniently<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): LenientReading<z.output<Schema>> {
  const strict = schema.safeParse(value);
  if (strict.success) return { success: true, data: strict.data, odd: [] };
  if (!isObject(value)) return refused(strict.error.issues[0]);
  return repair(schema, value);
}

function refused(issue: z.core.$ZodIssue | undefined) {
  const { path = [], message = 'an unexpected shape' } = issue ?? {};
  return { success: false, field: path.join('.'), reason: message } as const;
}

function repair<Schema extends z.ZodType>(
  schema: Schema,
  value: object,
): LenientReading<z.output<Schema>> {
  const items: OddItem[] = [];
  let placeholders = new Map<string, Placeholder>();
  let copy = without(value, items);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const result = schema.safeParse(copy);
    if (result.success) {
      const { data } = result;
      const odd = [...restore(data, [...placeholders.values()]), ...putBack(data, value, items)];
      return { success: true, data, odd };
    }
    const lost = result.error.issues.find((issue) => !putPlaceholder(copy, issue, placeholders));
    if (!lost) continue;
    const item = innermostItem(lost.path, items);
    if (!item) return refused(placeholders.get(JSON.stringify(lost.path))?.issue ?? lost);
    items.push(item);
    // The positions of those behind it have moved.
    placeholders = new Map();
    copy = without(value, items);
  }
  return refused(undefined);
}

/** Puts a placeholder where an issue is; false when the value may not be replaced. */
function putPlaceholder(
  copy: object,
  issue: z.core.$ZodIssue,
  placeholders: Map<string, Placeholder>,
): boolean {
  const { path } = issue;
  if (path.length === 0) return false;
  const key = JSON.stringify(path);
  const known: Placeholder = placeholders.get(key) ?? {
    path,
    original: get(copy, path),
    issue,
    tries: 0,
    stays: false,
  };
  placeholders.set(key, known);
  known.tries += 1;
  const { original, tries } = known;
  if (issue.code === 'too_big' && Number(original) > Number.MAX_SAFE_INTEGER && tries === 1) {
    known.stays = issue.maximum === Number.MAX_SAFE_INTEGER;
    return set(copy, path, known.stays ? Number.MAX_SAFE_INTEGER : 0);
  }
  if (NEEDED.has(path.at(-1))) return false;
  if (issue.code === 'invalid_type' && issue.expected === 'array' && tries === 1) {
    known.stays = true;
    return set(copy, path, []);
  }
  // Where null may be, as for an id that can be absent.
  if (tries === 1) return set(copy, path, null);
  if (issue.code === 'invalid_format') {
    const format = BY_FORMAT[issue.format];
    return format !== undefined && tries <= 3 && set(copy, path, format);
  }
  const make = issue.code === 'invalid_type' ? BY_TYPE[issue.expected] : undefined;
  return tries === 2 && set(copy, path, make ? make() : 0);
}

/** Puts the original values back; returns where they are. */
function restore(data: unknown, placeholders: readonly Placeholder[]): string[] {
  return placeholders.flatMap(({ path, original, stays }) => {
    if (stays || (original === undefined && get(data, path) === null)) return [];
    set(data, path, original);
    return [path.join('.')];
  });
}

/** Puts the items that were left out back where they were, as they came; null stays out. */
function putBack(data: unknown, value: object, items: readonly OddItem[]): string[] {
  const skipped = new Map<unknown, number>();
  return items
    .toSorted((one, other) => one.index - other.index)
    .map(({ list, index }) => {
      const read: unknown = get(data, list);
      const original = (get(value, list) as readonly unknown[])[index];
      const before = skipped.get(read) ?? 0;
      if (original === null) skipped.set(read, before + 1);
      else if (Array.isArray(read)) read.splice(index - before, 0, original);
      return [...list, index].join('.');
    });
}

/** Returns a copy without some items of its lists. */
function without(value: object, items: readonly OddItem[]): object {
  const copy = structuredClone(value);
  for (const { list, index } of items.toSorted((one, other) => other.index - one.index)) {
    const from: unknown = get(copy, list);
    if (Array.isArray(from)) from.splice(index, 1);
  }
  return copy;
}

/** Returns the item of a list that a path leads into, by its position before any was left out. */
function innermostItem(path: Path, items: readonly OddItem[]): OddItem | undefined {
  const depth = path.findLastIndex((key) => typeof key === 'number');
  if (depth < 0) return undefined;
  const list = path.slice(0, depth);
  let index = Number(path[depth]);
  const name = JSON.stringify(list);
  const gone = items.filter((each) => JSON.stringify(each.list) === name);
  for (const each of gone.toSorted((one, other) => one.index - other.index)) {
    if (each.index <= index) index += 1;
  }
  return { list, index };
}

function get(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (!isObject(value)) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return value;
}

function set(root: unknown, path: Path, value: unknown): boolean {
  const parent = get(root, path.slice(0, -1));
  const key = path.at(-1);
  if (!isObject(parent) || key === undefined) return false;
  const fields = parent as Record<PropertyKey, unknown>;
  if (value === undefined) delete fields[key];
  else fields[key] = value;
  return true;
}
