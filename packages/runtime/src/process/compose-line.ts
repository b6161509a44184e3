import { errorText, isVirguleError, readableError } from '@virgule/core/errors';
import { isObject } from '@virgule/core/objects';

/** What a line of the log says. */
export interface Line {
  /** As a number of pino. */
  readonly level: number;
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly details: object;
  readonly message: string;
}

/** Returns a line as JSON with a line break. */
export function composeLine({ level, time, details, message }: Line): string {
  return `{"level":${level},"time":${time}${fieldsOf(details)},"msg":${JSON.stringify(message)}}\n`;
}

/** Returns details as members of a JSON object, each after a comma. */
function fieldsOf(details: object): string {
  const described = describeErrors(details);
  try {
    const json = JSON.stringify(described);
    // With a `toJSON` of its own it may be anything.
    if (json.startsWith('{')) return json === '{}' ? '' : `,${json.slice(1, -1)}`;
  } catch {
    // Member by member then, so that the others are not lost.
  }
  const members = Object.entries(described).map(([key, value]) => {
    const json = anyJson(value);
    return json === undefined ? '' : `,${JSON.stringify(key)}:${json}`;
  });
  return members.join('');
}

/** What refers to itself is cut at this depth. */
const MAX_DEPTH = 5;

/** Returns the JSON of any value, with each object in it once; `undefined` if it has none, as a function. */
function anyJson(value: unknown): string | undefined {
  const depths = new Map<unknown, number>();
  try {
    return JSON.stringify(value, function (this: unknown, _key, member: unknown) {
      if (typeof member === 'bigint') return String(member);
      if (!isObject(member)) return member;
      const depth = (depths.get(this) ?? 0) + 1;
      if (depth > MAX_DEPTH || depths.has(member)) return '[…]';
      depths.set(member, depth);
      return member;
    });
  } catch (error) {
    return JSON.stringify(`[cannot be written: ${errorText(error)}]`);
  }
}

/** Returns details with every error in them as plain data. */
function describeErrors(details: object): object {
  // Any object can be read by any key.
  const fields = details as Readonly<Record<string, unknown>>;
  let described: Record<string, unknown> | undefined;
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (key !== 'err' && !isObject(value)) continue;
    const readable = readableError(value);
    const isError = readable instanceof Error || (key === 'err' && value !== undefined);
    const shown = isError ? describeError(readable) : readable;
    if (shown !== value) (described ??= { ...fields })[key] = shown;
  }
  return described ?? fields;
}

/** Errors can be each other's cause; past this depth a chain is cut. */
const MAX_CAUSES = 5;

/** Returns an error as plain data. Errors of kind `user` have no stack: it would point into Virgule, not at the cause. */
function describeError(thrown: unknown, depth = 0): unknown {
  const error = readableError(thrown);
  if (!(error instanceof Error)) return { message: errorText(error) };
  const common = { type: error.name, message: error.message };
  const cause =
    error.cause === undefined || depth === MAX_CAUSES
      ? {}
      : { cause: describeError(error.cause, depth + 1) };
  if (!isVirguleError(error)) return { ...common, stack: error.stack, ...cause };
  const { code, hint, location, details } = error;
  return {
    ...common,
    code,
    hint,
    location,
    details,
    ...(error.kind === 'bug' && { stack: error.stack }),
    ...cause,
  };
}
