import type { CommandOption } from '@virgule/core/protocol';
import { readFacts } from './option-values.js';
import { assignWords, type LineOption, type Mismatch } from '@virgule/core/raw-input';

/** A value that was typed for an option. */
export interface TypedValue {
  readonly option: CommandOption;
  readonly text: string;
  /** Index of the value in the line, quotes included; for a flag, index of its name. */
  readonly start: number;
  readonly end: number;
  /** `true` for a flag, `--loud` or `--no-loud`, which needs no value. */
  readonly isFlag: boolean;
}

/** An option, with the rule by which the bot assigns words of a line to it. */
interface TypedOption extends LineOption {
  readonly option: CommandOption;
}

export type TypedLine = ReturnType<typeof readTypedLine>;

/** Returns how the bot reads an option by its type and the facts in its description: a last string takes the rest of the line. */
function typedOption(option: CommandOption, isLast: boolean): TypedOption {
  const { name, type, required } = option;
  const { isNamed: named, expected } = readFacts(option);
  const take = isLast && type === 'string' ? 'rest' : 'word';
  return { name, take, named, negatable: type === 'boolean', required, expected, option };
}

/** Returns the label of an option in a signature: a named one in its typed form, another optional option with a `?`. */
export function optionLabel(option: CommandOption): string {
  const { name, type, required } = option;
  if (isNamed(option)) return type === 'boolean' && !required ? `--${name}` : `--${name} <value>`;
  return required ? name : `${name}?`;
}

/** Returns whether an option has a name in the line but takes no word without a name. */
export const isNamed = (option: CommandOption): boolean => readFacts(option).isNamed;

/** Assigns the words of a line to the options of its command, starting at index `from`, as the bot does. */
export function readTypedLine(options: readonly CommandOption[], line: string, from: number) {
  const last = options.findLastIndex((option) => !isNamed(option));
  const typedOptions = options.map((option, index) => typedOption(option, index === last));
  const { values: assigned, next: first, mismatch = null } = assignWords(line, from, typedOptions);
  const values = typedOptions.flatMap(({ option }, index): TypedValue[] => {
    const value = assigned[index];
    if (value === undefined) return [];
    const { typed, start, end } = value;
    return [{ option, text: String(typed), start, end, isFlag: typeof typed === 'boolean' }];
  });
  if (mismatch?.kind === 'unterminated-quote') {
    // The user is still typing the value.
    const { start } = mismatch;
    const { option } = mismatch.option;
    const text = line.slice(start + 1);
    values.push({ option, text, start, end: line.length, isFlag: false });
  }
  const isFull = assigned.some(
    (value, index) => value?.end === line.length && typedOptions[index]?.take === 'rest',
  );
  const next = isFull
    ? undefined
    : options.find(
        (option, index) =>
          index >= first && !isNamed(option) && !values.some((value) => value.option === option),
      );
  return {
    values,
    /** The option for the next word. */
    next: next ?? null,
    /** The first words that the bot cannot assign to an option. */
    mismatch,
  };
}

/** Returns the error that the bot would report for the mismatch. */
export function describeMismatch(mismatch: Mismatch): string {
  switch (mismatch.kind) {
    case 'surplus':
      return `"${mismatch.typed}" belongs to no option`;
    case 'repeated':
      return `${mismatch.option.name} is given twice`;
    case 'valueless':
      return `${mismatch.typed} has no value`;
    case 'unterminated-quote':
      return `${mismatch.option.name}: the quote is never closed`;
  }
}
