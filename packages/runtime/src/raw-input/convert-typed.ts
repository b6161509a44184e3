import { parseBoolean, parseNumber } from '@virgule/core/raw-input';
import type { OptionSpec } from '../options/option-spec.js';

export type Conversion =
  | { readonly ok: true; readonly value: unknown }
  /** The text does not stand for a value of the option's type. */
  | { readonly ok: false };

/** Turns what was typed for an option into what its schema is given. */
export function convertTyped(option: OptionSpec, typed: string | boolean): Conversion {
  if (typeof typed === 'boolean') {
    return { ok: true, value: option.input === 'boolean' ? typed : String(typed) };
  }
  switch (option.input) {
    case 'text':
      return { ok: true, value: typed };
    case 'number':
      return converted(parseNumber(typed));
    case 'boolean':
      return converted(parseBoolean(typed));
    case 'choice':
      return convertChoice(option, typed);
  }
}

function converted(value: number | boolean | undefined): Conversion {
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
