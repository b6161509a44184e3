import * as z from 'zod';
import type { OptionSpec } from '../options/option-spec.js';
import { orList } from '../options/value-texts.js';
import type { InputCommand } from './format-usage.js';
import { formatUsage } from './format-usage.js';
import { toInputFailure, type InputFailure, type InputFailureFacts } from './input-failure.js';

export type Checked =
  | { readonly ok: true; readonly options: Record<string, unknown> }
  | { readonly ok: false; readonly failure: InputFailure };

/** What was typed for each option that was typed, by name. */
export type TypedTexts = ReadonlyMap<string, string>;

/** Schemas that turned out to need waiting for. */
const asyncSchemas = new WeakSet<z.ZodType>();

/** Checks the values of a line against the command's schema: at once where zod can, else in time. */
export function checkValues(
  command: InputCommand,
  schema: z.ZodType,
  values: Record<string, unknown>,
  typed: TypedTexts,
): Checked | Promise<Checked> {
  if (command.spec.isAsync === true || asyncSchemas.has(schema)) {
    return checkInTime(command, schema, values, typed);
  }
  try {
    return toChecked(command, schema.safeParse(values), values, typed);
  } catch (error) {
    if (!isAsyncError(error)) return crashed(command, error);
    asyncSchemas.add(schema);
    return checkInTime(command, schema, values, typed);
  }
}

async function checkInTime(
  command: InputCommand,
  schema: z.ZodType,
  values: Record<string, unknown>,
  typed: TypedTexts,
): Promise<Checked> {
  try {
    return toChecked(command, await schema.safeParseAsync(values), values, typed);
  } catch (error) {
    return crashed(command, error);
  }
}

function crashed(command: InputCommand, cause: unknown): Checked {
  return {
    ok: false,
    failure: toInputFailure({ kind: 'crashed', cause, usage: formatUsage(command) }),
  };
}

function toChecked(
  command: InputCommand,
  result: z.ZodSafeParseResult<unknown>,
  values: Readonly<Record<string, unknown>>,
  typed: TypedTexts,
): Checked {
  // A zod object yields an object.
  if (result.success) return { ok: true, options: result.data as Record<string, unknown> };
  const usage = formatUsage(command);
  const issue = earliest(result.error.issues, command.spec.options);
  const option = command.spec.options.find(({ name }) => name === issue?.path[0]);
  const reason = issue && ownMessage(issue, option && values[option.name]);
  return {
    ok: false,
    failure: toInputFailure({ ...factsOf(option, issue, reason, typed), usage }),
  };
}

function factsOf(
  option: OptionSpec | undefined,
  issue: Issue | undefined,
  reason: string | undefined,
  typed: TypedTexts,
): Omit<InputFailureFacts, 'usage'> {
  if (!option) return { kind: 'invalid', reason: reason ?? 'These options do not go together' };
  const { name } = option;
  const text = typed.get(name);
  if (reason !== undefined) return { kind: 'invalid', option: name, typed: text, reason };
  // Some schemas tell too late that they must be given something.
  return text === undefined
    ? { kind: 'missing', option: name, missing: [name] }
    : { kind: 'invalid', option: name, typed: text, expected: expectedBy(issue, option) };
}

type Issue = z.core.$ZodIssue;

/** A schema that reads words may know others than yes and no; only its refusal tells which. */
function expectedBy(issue: Issue | undefined, option: OptionSpec): string {
  const words = issue?.code === 'invalid_value' && option.input === 'text' ? issue.values : [];
  return words.length === 0 || words.includes('yes') ? option.expected : orList(words.map(String));
}

/** The issue of the option that comes first; issues of the whole come last. */
function earliest(issues: readonly Issue[], options: readonly OptionSpec[]): Issue | undefined {
  const place = (issue: Issue): number => {
    const index = options.findIndex(({ name }) => name === issue.path[0]);
    return index < 0 ? options.length : index;
  };
  return issues.toSorted((a, b) => place(a) - place(b))[0];
}

/** The message of an issue where the bot's author wrote one; `undefined` for zod's standard wording. */
function ownMessage(issue: Issue, input: unknown): string | undefined {
  if (issue.message === 'Invalid input') return undefined;
  // zod wants an issue as it was before its message was made: the issue with what was given.
  const standard = z.config().localeError?.({ ...issue, input } as z.core.$ZodRawIssue);
  const text = typeof standard === 'string' ? standard : standard?.message;
  return issue.message === text ? undefined : issue.message;
}

/** By name: the class of another copy of zod is another class. */
function isAsyncError(error: unknown): boolean {
  return error instanceof Error && error.constructor.name === '$ZodAsyncError';
}
