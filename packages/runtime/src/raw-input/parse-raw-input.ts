import {
  assignWords,
  skipCommandName,
  type AssignedValue,
  type Mismatch,
} from '@virgule/core/raw-input';
import type { OptionSpec } from '../options/option-spec.js';
import {
  channelMention,
  channelNamesIn,
  type ChannelLookup,
  type TypedChannelName,
} from './channel-lookup.js';
import { checkValues, type Checked } from './check-values.js';
import { convertTyped } from './convert-typed.js';
import { formatUsage, type InputCommand } from './format-usage.js';
import { toInputFailure, type InputFailure, type InputFailureFacts } from './input-failure.js';

/** The options of a line, or why it has none. */
export type ParsedInput = Checked;

/**
 * Reads the text of a slash command as its options. Never throws; waits only where the command's
 * schema has to be waited for, and for the channels that were typed by name, `#general`, where they
 * can be looked up. The time it takes grows with the length of the line.
 */
export function parseRawInput(
  rawInput: string,
  command: InputCommand,
  lookUpChannel?: ChannelLookup,
): ParsedInput | Promise<ParsedInput> {
  const { options, schema } = command.spec;
  const from = skipCommandName(rawInput, command.name);
  const { values: assigned, mismatch } = assignWords(rawInput, from, options);
  if (mismatch) return failed(mismatchFacts(mismatch, command));
  if (schema === null) return { ok: true, options: {} };

  // Without a prototype, so that no option is found where none was typed.
  const values = Object.create(null) as Record<string, unknown>;
  const texts = new Map<string, string>();
  for (const [index, option] of options.entries()) {
    const typed = assigned[index]?.typed;
    if (typed === undefined) {
      if (option.required) return failed(missingFacts(assigned, command));
      if (option.nullWhenAbsent === true) values[option.name] = null;
      continue;
    }
    const text = String(typed);
    const conversion = convertTyped(option, typed);
    if (!conversion.ok) {
      const { name, expected } = option;
      const usage = formatUsage(command);
      return failed({ kind: 'invalid', option: name, typed: text, expected, usage });
    }
    values[option.name] = conversion.value;
    texts.set(option.name, text);
  }
  // Last, so that nothing is asked for a line that is refused anyway.
  const names = lookUpChannel ? channelNamesIn(options, texts) : [];
  if (!lookUpChannel || names.length === 0) return checkValues(command, schema, values, texts);
  return lookUpAll(names, lookUpChannel, values).then((lost) =>
    lost
      ? failed({ ...lost, kind: 'invalid', usage: formatUsage(command) })
      : checkValues(command, schema, values, texts),
  );
}

/** Puts channels in the place of their names; gives the first that was not found, and why. */
async function lookUpAll(
  names: readonly TypedChannelName[],
  lookUp: ChannelLookup,
  values: Record<string, unknown>,
): Promise<{ option: string; typed: string; reason: string } | undefined> {
  for (const { option, typed } of names) {
    const finding = await lookUp(typed.slice(1));
    if (!finding.found) return { option, typed, reason: finding.reason };
    values[option] = channelMention(finding.id);
  }
  return undefined;
}

const failed = (facts: InputFailureFacts): { ok: false; failure: InputFailure } => ({
  ok: false,
  failure: toInputFailure(facts),
});

function missingFacts(
  assigned: readonly (AssignedValue | undefined)[],
  command: InputCommand,
): InputFailureFacts {
  const missing = command.spec.options
    .filter(({ required }, index) => required && assigned[index] === undefined)
    .map(({ name }) => name);
  return { kind: 'missing', option: missing[0], missing, usage: formatUsage(command) };
}

function mismatchFacts(mismatch: Mismatch<OptionSpec>, command: InputCommand): InputFailureFacts {
  const usage = formatUsage(command);
  const { typed } = mismatch;
  switch (mismatch.kind) {
    case 'surplus': {
      const expected = command.spec.options.length === 0 ? 'no options' : undefined;
      return { kind: 'surplus', typed, expected, usage };
    }
    case 'valueless': {
      const { name, expected } = mismatch.option;
      return { kind: 'missing', option: name, missing: [name], typed, expected, usage };
    }
    default: {
      const { kind, option } = mismatch;
      return { kind, option: option.name, typed, expected: option.expected, usage };
    }
  }
}
