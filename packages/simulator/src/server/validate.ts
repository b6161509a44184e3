import { isRecord, orUndefined } from '@virgule/core/objects';
import { CONTENT_MAX_LENGTH, idSchema, type Endpoint, type Profile } from '@virgule/core/protocol';
import * as z from 'zod';
import { invalid, Refusal } from '../world/refusal.js';

type Schema = NonNullable<Endpoint['body']>;

/** Parses a JSON body. @throws Refusal with `bot_bad_json`. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Refusal(400, 'bot_bad_json', 'The body is not JSON.');
  }
}

/** Validates a body with a schema. @throws Refusal with `bot_validation_error`. */
export function validateBody<S extends Schema>(
  schema: S,
  value: unknown,
  profile: Profile,
): S['_output'] {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  // The platform reports one field.
  const issue = error.issues.find((each) => !isLengthInCodePoints(each, value, profile));
  if (issue !== undefined) {
    const field = z.core.toDotPath(issue.path) || 'body';
    throw invalid(field, `${field}: ${issue.message}`);
  }
  // Only the length in UTF-16 code units is invalid. No schema of a body transforms its input.
  return value;
}

/** Returns whether an issue is content that is too long only in UTF-16 code units, while the profile counts code points. */
function isLengthInCodePoints(
  { code, path }: z.core.$ZodIssue,
  body: unknown,
  { contentUnit }: Profile,
): boolean {
  if (contentUnit !== 'code-point' || code !== 'too_big' || path.join('.') !== 'content')
    return false;
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

/** Returns values for a schema: a string in a field of another type becomes its JSON, or a list with the string. */
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
export function validateIds(ids: Readonly<Record<string, string>>): void {
  for (const [name, id] of Object.entries(ids))
    if (!idSchema.safeParse(id).success) throw invalid(name, `${name} is not a UUID.`);
}
