import * as z from 'zod';
import type { OptionSpec } from '../../options/option-spec.js';
import { expectedChoice, expectedFormat } from '../../options/value-texts.js';
import type { InputFailureFacts } from './input-failure.js';
import type { ConvertedLine } from './parse-raw-input.js';

/** Returns the facts of the first issue that zod found in a line, in the order of the options. */
export function explainIssues(
  issues: readonly Issue[],
  { command, assigned, values }: ConvertedLine,
): InputFailureFacts {
  const { options } = command.spec;
  const issue = firstIssue(issues, options);
  const at = options.findIndex(({ key }) => key === issue?.path[0]);
  const option = options[at];
  const value = option && values[option.key];
  const own = issue && ownMessage(issue, value);
  if (!issue || !option)
    return { kind: 'invalid', reason: own ?? 'These options cannot be combined' };
  const { name } = option;
  const index = issue.path[1];
  const isItem = option.item !== undefined && typeof index === 'number' && Array.isArray(value);
  const text = isItem ? String(value[index]) : assigned[at]?.typed.toString();
  // Some schemas report a missing value only when they are run.
  if (text === undefined && own === undefined)
    return { kind: 'missing', option: name, missing: [name] };
  const expected = own === undefined ? expectedBy(issue, isItem ? option.item : option) : undefined;
  const explained =
    expected === undefined ? { reason: own ?? standardMessage(issue) } : { expected };
  return { kind: 'invalid', option: name, typed: text, ...explained };
}

type Issue = z.core.$ZodIssue;

/** Returns the accepted values, if the expectation of the option or a format explains the issue. */
function expectedBy(issue: Issue, option: OptionSpec | OptionSpec['item']) {
  const { expected, input, type = 'string' }: Partial<OptionSpec> = option ?? {};
  const ifNamed = (bound: number | bigint) =>
    expected?.text.includes(String(bound)) ? expected : undefined;
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
      return input === 'text' && type === 'string'
        ? expectedChoice(issue.values.map(String))
        : expected;
    case 'invalid_format':
      return expectedFormat(issue.format);
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
