import { isRecord, orUndefined } from '@virgule/core/objects';
import { CONTENT_MAX_LENGTH, idSchema, type Endpoint, type Profile } from '@virgule/core/protocol';
import { invalid, Refusal } from '../world/refusal.js';

type Schema = NonNullable<Endpoint['body']>;
type ParseResult = ReturnType<Schema['safeParse']>;
type Issue = NonNullable<ParseResult['error']>['issues'][number];

/** Returns the path of a field as text: `commands[2].name` for `['commands', 2, 'name']`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      return index === 0 ? String(key) : `.${String(key)}`;
    })
    .join('');
}

/** Throws a refusal for the first issue: the platform reports one field. */
function refuse(issue: Issue | undefined, profile: Profile): never {
  const field = fieldName(issue?.path ?? []) || 'body';
  throw invalid(profile, field, `${field}: ${issue?.message ?? 'invalid value'}`);
}

/** Maximum depth of a JSON body: parts of a body are written as JSON again, and JSON.stringify recurses. */
const MAX_DEPTH = 100;

/**
 * Parses a JSON body.
 *
 * @throws Refusal with `bot_bad_json`.
 */
export function parseJson(bytes: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Refusal(400, 'bot_bad_json', 'The body is not JSON.');
  }
  // Each level has two brackets.
  if (bytes.length > 2 * MAX_DEPTH && isTooDeep(value))
    throw new Refusal(
      400,
      'bot_bad_json',
      `The body is nested more than ${MAX_DEPTH} levels deep.`,
    );
  return value;
}

function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1)
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : [],
    );
  return level.length > 0;
}

/**
 * Validates a body with a schema.
 *
 * @throws Refusal with `bot_validation_error`.
 */
export function validateBody<S extends Schema>(
  schema: S,
  value: unknown,
  profile: Profile,
): S['_output'] {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const issues = error.issues.filter((issue) => !isLengthInCodePoints(issue, value, profile));
  if (issues.length > 0) refuse(issues[0], profile);
  // Only the length of the content is invalid, and this profile counts the length in another unit. No body schema
  // transforms its input, so the schema would have returned this value.
  return value;
}

/** Returns one field of a body that has no schema. */
export function readField<S extends Schema>(
  body: unknown,
  name: string,
  schema: S,
  profile: Profile,
): S['_output'] {
  const value = isRecord(body) ? body[name] : undefined;
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw invalid(profile, name, `${name}: ${error.issues[0]?.message ?? 'invalid value'}`);
}

/** Returns whether an issue is content that is too long only in UTF-16 code units, while the profile counts code points. */
function isLengthInCodePoints(issue: Issue, body: unknown, { contentUnit }: Profile): boolean {
  if (contentUnit !== 'code-point' || issue.code !== 'too_big') return false;
  if (fieldName(issue.path) !== 'content') return false;
  const content = isRecord(body) && body['content'];
  return typeof content === 'string' && [...content].length <= CONTENT_MAX_LENGTH;
}

/** Validates a query with a schema, whose fields may be numbers, booleans or lists. */
export function validateQuery<S extends Schema>(
  schema: S,
  query: URLSearchParams,
  profile: Profile,
): S['_output'] {
  return validateBody(schema, fromStrings(schema, Object.fromEntries(query)), profile);
}

/**
 * Returns values for a schema: a string in a field of another type becomes the JSON in the string, or else a list with
 * the string.
 */
export function fromStrings(
  schema: Schema,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const read = { ...values };
  for (const { code, path } of schema.safeParse(values).error?.issues ?? []) {
    const key = String(path[0]);
    const text = read[key];
    const isWrongType = code === 'invalid_type' || code === 'invalid_union';
    if (isWrongType && path.length === 1 && typeof text === 'string')
      read[key] = jsonIn(text) ?? [text];
  }
  return read;
}

/** Returns the JSON value in a string, or `undefined`; a number is read only in plain digits. */
function jsonIn(text: string): unknown {
  const value: unknown = orUndefined(() => JSON.parse(text));
  return typeof value === 'number' && !/^-?\d+(\.\d+)?$/.test(text) ? undefined : value;
}

/** Checks that every parameter of a path is a UUID ("Endpoints"). */
export function validateIds(ids: Readonly<Record<string, string>>, profile: Profile): void {
  for (const [name, id] of Object.entries(ids)) {
    if (!idSchema.safeParse(id).success) throw invalid(profile, name, `${name} is not a UUID.`);
  }
}
