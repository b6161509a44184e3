import { parseBoolean, parseNumber, splitWords } from '@virgule/core/raw-input';
import type { ValueSpec } from '../../options/option-spec.js';

export type Conversion =
  | { readonly ok: true; readonly value: unknown }
  /** The string does not represent a value of the option's type. */
  | {
      readonly ok: false;
      readonly kind: 'invalid' | 'unterminated-quote';
      readonly typed: string;
      readonly expected: string;
    };

/** Returns whether a string names an attachment. */
export type AttachmentCheck = (typed: string) => boolean;

/** Converts what was typed for an option to the value that its schema receives. */
export function convertTyped(
  option: ValueSpec,
  typed: string | boolean,
  isAttachment: AttachmentCheck,
): Conversion {
  const { input, words, expected } = option;
  if (typeof typed === 'boolean') {
    if (input === 'boolean') return { ok: true, value: typed };
    return { ok: true, value: words ? words[typed ? 0 : 1] : String(typed) };
  }
  if (input === 'list') return convertList(option, typed, isAttachment);
  const isRefused = option.isAttachment === true && !isAttachment(typed);
  const value = isRefused ? undefined : convertWord(option, typed);
  return value === undefined
    ? { ok: false, kind: 'invalid', typed, expected }
    : { ok: true, value };
}

function convertWord(option: ValueSpec, typed: string): unknown {
  switch (option.input) {
    case 'number':
      return parseNumber(typed);
    case 'boolean':
      return parseBoolean(typed);
    case 'choice':
      return convertChoice(option, typed);
    default:
      return typed;
  }
}

const TEXT: ValueSpec = { input: 'text', expected: 'text' };

function convertList(
  { item, expected }: ValueSpec,
  typed: string,
  isAttachment: AttachmentCheck,
): Conversion {
  const words = splitWords(typed);
  if (words === null) return { ok: false, kind: 'unterminated-quote', typed, expected };
  const items = words.map((word) => convertTyped(item ?? TEXT, word, isAttachment));
  const refused = items.find((conversion) => !conversion.ok);
  return refused ?? { ok: true, value: items.flatMap((made) => (made.ok ? [made.value] : [])) };
}

/** Converts a choice, which may be typed in another case if that is not ambiguous. */
function convertChoice(
  { choices = [], choiceValues = choices }: ValueSpec,
  typed: string,
): unknown {
  const folded = typed.toLowerCase();
  const alike = choices.filter((choice) => choice.toLowerCase() === folded);
  const choice = choices.includes(typed) || alike.length !== 1 ? typed : alike[0];
  return choiceValues[choices.findIndex((known) => known === choice)];
}
