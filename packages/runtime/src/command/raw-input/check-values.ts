import * as z from 'zod';
import type { AssignedValue } from '@virgule/core/raw-input';
import type { OptionSpec } from '../../options/option-spec.js';
import { FORMAT_TEXTS, orList } from '../../options/value-texts.js';
import { type InputCommand } from './format-usage.js';
import { inputFailure, type InputFailureFacts } from './input-failure.js';
import type { InputFailure } from '../../errors/error-guards.js';

export type ParsedInput =
  | { readonly ok: true; readonly options: Record<string, unknown> }
  | { readonly ok: false; readonly failure: InputFailure };

/** A line with converted words: `values` by key, and `assigned`, the typed word of each option in the order of the options. */
export interface ConvertedLine {
  readonly command: InputCommand;
  readonly schema: z.ZodType;
  readonly values: Record<string, unknown>;
  readonly assigned: readonly (AssignedValue | undefined)[];
  readonly rawInput: string;
}

/** Schemas that failed a synchronous parse because they are asynchronous. */
const asyncSchemas = new WeakSet<z.ZodType>();

/** Checks the values of a line against the command's schema, synchronously if the schema allows it. */
export function checkValues(line: ConvertedLine): ParsedInput | Promise<ParsedInput> {
  const { command, schema, values } = line;
  if (command.spec.isAsync === true || asyncSchemas.has(schema)) return checkAsync(line);
  try {
    return toChecked(line, schema.safeParse(values));
  } catch (error) {
    if (!isAsyncError(error)) return crashed(line, error);
    asyncSchemas.add(schema);
    return checkAsync(line);
  }
}

async function checkAsync(line: ConvertedLine): Promise<ParsedInput> {
  try {
    return toChecked(line, await line.schema.safeParseAsync(line.values));
  } catch (error) {
    return crashed(line, error);
  }
}

function crashed({ command, rawInput }: ConvertedLine, cause: unknown): ParsedInput {
  return inputFailure(command, rawInput, { kind: 'crashed', cause });
}

function toChecked(line: ConvertedLine, result: z.ZodSafeParseResult<unknown>): ParsedInput {
  // A zod object returns an object.
  if (result.success) return { ok: true, options: result.data as Record<string, unknown> };
  const { command, rawInput, assigned, values } = line;
  const { options } = command.spec;
  const issue = firstIssue(result.error.issues, options);
  const index = options.findIndex(({ key }) => key === issue?.path[0]);
  const typed = assigned[index]?.typed;
  return inputFailure(command, rawInput, factsOf(issue, options[index], typed, values));
}

type Issue = z.core.$ZodIssue;

function factsOf(
  issue: Issue | undefined,
  option: OptionSpec | undefined,
  typed: string | boolean | undefined,
  values: Readonly<Record<string, unknown>>,
): InputFailureFacts {
  const value = option && values[option.key];
  const own = issue && ownMessage(issue, value);
  if (!issue || !option)
    return { kind: 'invalid', reason: own ?? 'These options cannot be combined' };
  const { name } = option;
  const index = issue.path[1];
  const isItem = option.item !== undefined && typeof index === 'number' && Array.isArray(value);
  const text = isItem ? String(value[index]) : typed?.toString();
  // Some schemas report a missing value only when they are run.
  if (text === undefined && own === undefined)
    return { kind: 'missing', option: name, missing: [name] };
  const expected = own === undefined ? expectedBy(issue, isItem ? option.item : option) : undefined;
  const explained =
    expected === undefined ? { reason: own ?? standardMessage(issue) } : { expected };
  return { kind: 'invalid', option: name, typed: text, ...explained };
}

/** Returns the accepted values, if the expectation of the option or a format explains the issue. */
function expectedBy(issue: Issue, option: OptionSpec | OptionSpec['item']): string | undefined {
  const { expected = '', input, type = 'string' }: Partial<OptionSpec> = option ?? {};
  const ifNamed = (bound: number | bigint) =>
    expected.includes(String(bound)) ? expected : undefined;
  switch (issue.code) {
    case 'too_small':
      return ifNamed(issue.minimum);
    case 'too_big':
      return ifNamed(issue.maximum);
    case 'not_multiple_of':
      return ifNamed(issue.divisor);
    case 'invalid_type':
      // A typed string has the right type: the issue is about a converted value.
      return input === 'text' ? undefined : expected;
    case 'invalid_value':
      return input === 'text' && type === 'string' ? orList(issue.values.map(String)) : expected;
    case 'invalid_format':
      return FORMAT_TEXTS[issue.format];
    case 'custom':
      return issue.params?.['isExpected'] === true ? expected : undefined;
    default:
      return undefined;
  }
}

/** Returns the standard message of zod without its prefix, such as `Invalid string:`. */
function standardMessage({ message }: Issue): string {
  const [, detail] = /^(?:Invalid|Too) [a-z]+: (.+)$/s.exec(message) ?? [];
  return withoutType(detail ?? (message === INVALID ? 'this value is not accepted' : message));
}

/** Returns a message of zod without the received type. */
const withoutType = (message: string): string => message.replace(/, received \w+$/, '');

const INVALID = 'Invalid input';

/** Returns the issue of the first option that has one; issues of the whole object come last. */
function firstIssue(issues: readonly Issue[], options: readonly OptionSpec[]): Issue | undefined {
  const place = (issue: Issue): number => {
    const index = options.findIndex(({ key }) => key === issue.path[0]);
    return index < 0 ? options.length : index;
  };
  return issues.toSorted((a, b) => place(a) - place(b))[0];
}

/** Returns the message of an issue if the bot's author wrote the message; `undefined` for a standard message of zod. */
function ownMessage(issue: Issue, input: unknown): string | undefined {
  if (issue.message === INVALID) return undefined;
  // zod expects the issue before its message was added: the issue with its input.
  const standard = z.config().localeError?.({ ...issue, input } as z.core.$ZodRawIssue);
  const text = typeof standard === 'string' ? standard : standard?.message;
  // A transform may have changed the type of the typed value.
  const isStandard = text !== undefined && withoutType(text) === withoutType(issue.message);
  return isStandard ? undefined : issue.message;
}

/** Returns whether an error is zod's error for asynchronous schemas. Compares by name: another copy of zod has another class. */
function isAsyncError(error: unknown): boolean {
  return error instanceof Error && error.constructor.name === '$ZodAsyncError';
}
