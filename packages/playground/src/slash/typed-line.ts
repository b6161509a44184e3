import type { CommandOption } from '@virgule/core/protocol';
import { assignWords, type LineOption, type Mismatch } from '@virgule/core/raw-input';

/** A value that was typed for an option. */
export interface TypedValue {
  readonly option: CommandOption;
  readonly text: string;
  /** Indexes in the line of the value, quotes included; of a flag, of its name. */
  readonly start: number;
  readonly end: number;
  /** Whether it is a flag, `--loud` or `--no-loud`, which has no value of its own. */
  readonly isFlag: boolean;
}

/** An option, and which words of a line the bot assigns to it. */
interface TypedOption extends LineOption {
  readonly option: CommandOption;
}

export interface TypedLine {
  readonly values: readonly TypedValue[];
  /** The option that the next word would fill. */
  readonly next: CommandOption | null;
  /** The first words that the bot cannot assign to an option. */
  readonly mismatch: Mismatch<TypedOption> | null;
}

/**
 * Returns how the bot reads an option, as far as its type on the wire says. A last string takes the
 * rest of the line; that the bot reads one as a single word, as a list, or exactly as typed, is not on
 * the wire.
 */
function typedOption(option: CommandOption, isLast: boolean): TypedOption {
  const { name, type } = option;
  const take = isFlag(option) ? 'flag' : isLast && type === 'string' ? 'rest' : 'word';
  return { name, take, negatable: type === 'boolean', option };
}

/** Returns the label of an option in a signature: a flag as it is typed, another optional one with a `?`. */
export function optionLabel(option: CommandOption): string {
  if (isFlag(option)) return `--${option.name}`;
  return option.required ? option.name : `${option.name}?`;
}

/** Returns whether an option is only named, and takes no word. */
const isFlag = ({ type, required }: CommandOption): boolean => type === 'boolean' && !required;

/** Assigns the words of a line to the options of its command, starting at index `from`, as the bot does. */
export function readTypedLine(
  options: readonly CommandOption[],
  line: string,
  from: number,
): TypedLine {
  const last = options.findLastIndex((option) => !isFlag(option));
  const typedOptions = options.map((option, index) => typedOption(option, index === last));
  const { values: assigned, mismatch = null } = assignWords(line, from, typedOptions);
  const values = typedOptions.flatMap(({ option }, index): TypedValue[] => {
    const value = assigned[index];
    if (value === undefined) return [];
    const { typed, start, end } = value;
    return [{ option, text: String(typed), start, end, isFlag: typeof typed === 'boolean' }];
  });
  if (mismatch?.kind === 'unterminated-quote') {
    // The value is still being typed.
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
    : options.find((option) => !isFlag(option) && !values.some((value) => value.option === option));
  return { values, next: next ?? null, mismatch };
}

/** Returns what the bot would answer to the mismatch. */
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
