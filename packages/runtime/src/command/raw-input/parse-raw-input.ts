import type * as z from 'zod';
import {
  assignWords,
  skipCommandName,
  type AssignedValue,
  type Mismatch,
  parseBoolean,
  parseNumber,
  splitWords,
} from '@virgule/core/raw-input';
import type { Author } from '../author.js';
import type { OptionSpec, ValueSpec } from '../../options/option-spec.js';
import { explainIssues } from './explain-issues.js';
import type { InputCommand } from './format-usage.js';
import { inputFailure, type InputFailureFacts, type RefusedInput } from './input-failure.js';

export type ParsedInput =
  | { readonly ok: true; readonly options: Record<string, unknown> }
  | RefusedInput;

/** A line with converted words: `values` by key, and `assigned`, the typed word of each option in the order of the options. */
export interface ConvertedLine {
  readonly command: InputCommand;
  readonly schema: z.ZodType;
  readonly values: Record<string, unknown>;
  readonly assigned: readonly (AssignedValue | undefined)[];
  readonly rawInput: string;
}

/** Prototype without members such as `toString`, which a schema could read. V8 fills and reads an object without prototype slowly. */
const NO_KEYS: object = Object.freeze(Object.create(null));

/** Looks up a channel by its name, without the `#`. The user who typed the name sees `reason`. Never rejects. */
export type ChannelLookup = (
  name: string,
) => Promise<{ readonly id: string } | { readonly reason: string }>;

/**
 * Parses the line of a slash command into its options. Never throws. Asynchronous only if the command's schema is asynchronous,
 * or if a channel was typed by name, `#general`, and `lookUpChannel` is given. Runs in time proportional to the length of the
 * line.
 */
export function parseRawInput(
  rawInput: string,
  command: InputCommand,
  lookUpChannel?: ChannelLookup,
  isAttachment: AttachmentCheck = isWebUrl,
  author?: Author,
): ParsedInput | Promise<ParsedInput> {
  const { options, schema } = command.spec;
  const failed = (facts: InputFailureFacts): ParsedInput => inputFailure(command, rawInput, facts);
  const from = skipCommandName(rawInput, command.name);
  const { values: assigned, mismatch } = assignWords(rawInput, from, options);
  if (mismatch) return failed(mismatchFacts(mismatch));
  if (schema === null) return { ok: true, options: {} };

  const values = Object.create(NO_KEYS) as Record<string, unknown>;
  let names: { key: string; option: string; typed: string }[] | undefined;
  for (let index = 0; index < options.length; index += 1) {
    const option = options[index];
    if (!option) continue;
    const { key, name, type, required, absentAs } = option;
    const word = assigned[index]?.typed;
    if (word === undefined) {
      if (option.isAuthor && author) values[key] = author.toString();
      else if (required || option.isAuthor) return failed(missingFacts(assigned, options));
      else if (absentAs) values[key] = absentAs === 'null' ? null : undefined;
      continue;
    }
    const conversion = convertTyped(option, word, isAttachment);
    if (!('value' in conversion)) return failed({ option: name, ...conversion });
    values[key] = conversion.value;
    if (type === 'channel' && typeof word === 'string' && /^#./.test(word))
      (names ??= []).push({ key, option: name, typed: word });
  }
  const line = { command, schema, values, assigned, rawInput };
  if (!lookUpChannel || !names) return checkValues(line);
  // Last, so that nothing is looked up for a line that is refused anyway.
  return lookUpAll(names, lookUpChannel, values).then((missing) =>
    missing ? failed(missing) : checkValues(line),
  );
}

/** Schemas that failed a synchronous parse because they are asynchronous. */
const asyncSchemas = new WeakSet<z.ZodType>();

/** Checks the values of a line against the command's schema, synchronously if the schema allows it. */
function checkValues(line: ConvertedLine): ParsedInput | Promise<ParsedInput> {
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

const checkAsync = (line: ConvertedLine): Promise<ParsedInput> =>
  line.schema
    .safeParseAsync(line.values)
    .then((result) => toChecked(line, result))
    .catch((error: unknown) => crashed(line, error));

const crashed = ({ command, rawInput }: ConvertedLine, cause: unknown): ParsedInput =>
  inputFailure(command, rawInput, { kind: 'crashed', cause });

function toChecked(line: ConvertedLine, result: z.ZodSafeParseResult<unknown>): ParsedInput {
  // A zod object returns an object.
  if (result.success) return { ok: true, options: result.data as Record<string, unknown> };
  return inputFailure(line.command, line.rawInput, explainIssues(result.error.issues, line));
}

/** Returns whether an error is zod's error for asynchronous schemas. Compares by name: another copy of zod has another class. */
const isAsyncError = (error: unknown): boolean =>
  error instanceof Error && error.constructor.name === '$ZodAsyncError';

const isWebUrl: AttachmentCheck = (typed) => /^https?:/i.test(typed) && URL.canParse(typed);

/** Replaces typed names of channels, `#general`. Returns the failure of the first name that was not found. */
async function lookUpAll(
  names: readonly { readonly key: string; readonly option: string; readonly typed: string }[],
  lookUp: ChannelLookup,
  values: Record<string, unknown>,
): Promise<InputFailureFacts | undefined> {
  for (const { key, option, typed } of names) {
    const finding = await lookUp(typed.slice(1));
    if ('reason' in finding) return { kind: 'invalid', option, typed, reason: finding.reason };
    values[key] = `<#${finding.id}>`;
  }
  return undefined;
}

function missingFacts(
  assigned: readonly (AssignedValue | undefined)[],
  options: readonly OptionSpec[],
): InputFailureFacts {
  const missing = options
    .filter(({ required, isAuthor }, at) => (required || isAuthor) && assigned[at] === undefined)
    .map(({ name }) => name);
  return { kind: 'missing', option: missing[0], missing };
}

function mismatchFacts(mismatch: Mismatch<OptionSpec>): InputFailureFacts {
  const { kind, typed } = mismatch;
  if (kind === 'surplus') return { kind, typed };
  const { name, expected } = mismatch.option;
  return kind === 'valueless'
    ? { kind: 'missing', option: name, missing: [name], typed, expected }
    : { kind, option: name, typed, expected };
}

/** A converted value, or the reason why the string is not a value of the option's type. */
type Conversion =
  | { readonly value: unknown }
  | Pick<InputFailureFacts, 'kind' | 'typed' | 'expected'>;

/** Returns whether a string names an attachment. */
export type AttachmentCheck = (typed: string) => boolean;

/** Converts the typed word of an option to the value that its schema receives. */
function convertTyped(
  option: ValueSpec,
  typed: string | boolean,
  isAttachment: AttachmentCheck,
): Conversion {
  const { input, words, expected } = option;
  if (typeof typed === 'boolean') {
    if (input === 'boolean') return { value: typed };
    return { value: words ? words[typed ? 0 : 1] : String(typed) };
  }
  if (input === 'list') return convertList(option, typed, isAttachment);
  const isRefused = expected.kind === 'attachment' && !isAttachment(typed);
  const convert = CONVERTERS[input];
  const converted = convert ? convert(typed, option) : typed;
  const value = isRefused ? undefined : converted;
  return value === undefined ? { kind: 'invalid', typed, expected } : { value };
}

/** Converters of words. Each returns `undefined` for a word that is no value of the type. */
const CONVERTERS: Partial<
  Record<ValueSpec['input'], (typed: string, option: ValueSpec) => unknown>
> = { number: parseNumber, boolean: parseBoolean, choice: convertChoice };

const TEXT: ValueSpec = { input: 'text', expected: { kind: 'text', bounds: {}, text: 'text' } };

function convertList({ item, expected }: ValueSpec, typed: string, isAttachment: AttachmentCheck) {
  const words = splitWords(typed);
  if (words === null) return { kind: 'unterminated-quote' as const, typed, expected };
  const items = words.map((word) => convertTyped(item ?? TEXT, word, isAttachment));
  const refused = items.find((item) => !('value' in item));
  return refused ?? { value: items.flatMap((item) => ('value' in item ? [item.value] : [])) };
}

/** Converts a choice. Another letter case is accepted if only one choice matches. */
function convertChoice(
  typed: string,
  { expected: { choices = [] }, choiceValues = choices }: ValueSpec,
): unknown {
  const folded = typed.toLowerCase();
  const alike = choices.filter((choice) => choice.toLowerCase() === folded);
  const choice = choices.includes(typed) || alike.length !== 1 ? typed : alike[0];
  return choiceValues[choices.findIndex((known) => known === choice)];
}
