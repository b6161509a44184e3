import type { OptionSpec } from '../options/option-spec.js';

export type Conversion =
  | { readonly ok: true; readonly value: unknown }
  /** The text does not stand for a value of the option's type. */
  | { readonly ok: false };

/** Decimal, with an exponent if need be: `7`, `-0.5`, `.5`, `1e3`. Neither hexadecimal nor `Infinity`. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
]);

/** Turns what was typed for an option into what its schema is given. */
export function convertTyped(option: OptionSpec, typed: string | boolean): Conversion {
  if (typeof typed === 'boolean') {
    return { ok: true, value: option.input === 'boolean' ? typed : String(typed) };
  }
  switch (option.input) {
    case 'text':
      return { ok: true, value: typed };
    case 'number':
      return convertNumber(typed);
    case 'boolean':
      return convertBoolean(typed);
    case 'choice':
      return convertChoice(option, typed);
  }
}

function convertNumber(typed: string): Conversion {
  const value = NUMBER.test(typed) ? Number(typed) : Infinity;
  return Number.isFinite(value) ? { ok: true, value } : { ok: false };
}

function convertBoolean(typed: string): Conversion {
  const value = BOOLEAN_WORDS.get(typed.toLowerCase());
  return value === undefined ? { ok: false } : { ok: true, value };
}

/** A choice may be typed in another case when that leaves no doubt. */
function convertChoice({ choices = [], choiceValues }: OptionSpec, typed: string): Conversion {
  let index = choices.indexOf(typed);
  if (index < 0) {
    const folded = typed.toLowerCase();
    const alike = choices.filter((choice) => choice.toLowerCase() === folded);
    const [only] = alike;
    if (only === undefined || alike.length > 1) return { ok: false };
    index = choices.indexOf(only);
  }
  return { ok: true, value: choiceValues ? choiceValues[index] : choices[index] };
}
