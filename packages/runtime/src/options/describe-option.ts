import { DESCRIPTION_MAX_LENGTH, type OptionType } from '@virgule/core/protocol';
import { oneLine } from '@virgule/core/text';
import { cutText } from '../text/cut-text.js';
import type { FieldShape } from './field-shape.js';
import { rangeText } from './value-texts.js';

/** Replaces a missing description: the platform requires at least one character. */
const TYPE_LABELS: Readonly<Record<OptionType, string>> = {
  string: 'Text',
  integer: 'Whole number',
  number: 'Number',
  boolean: 'Yes or no',
  user: 'User',
  channel: 'Channel',
  role: 'Role',
  mentionable: 'User or role',
  attachment: 'Attachment',
};

const MAX_CHOICES_LENGTH = 50;
const DEFAULT_MAX_LENGTH = 20;

export interface OptionTexts {
  readonly type: OptionType;
  readonly choices?: readonly string[] | undefined;
  readonly defaultText?: string | undefined;
}

/**
 * Returns the description of an option as it is registered. Facts for which the platform has no field
 * are at its end in brackets, `Faces on each die (2-1000, default 6)`, and are kept when it is cut.
 */
export function describeOption(
  shape: FieldShape,
  { type, choices, defaultText }: OptionTexts,
): string {
  const { item } = shape;
  const facts = [
    choices ? cutText(choices.join('|'), MAX_CHOICES_LENGTH) : rangeText(item ?? shape),
    item ? rangeText(shape) : '',
    defaultText === undefined ? '' : `default ${cutText(defaultText, DEFAULT_MAX_LENGTH)}`,
  ].filter((fact) => fact !== '');
  const suffix = facts.length === 0 ? '' : ` (${oneLine(facts.join(', '))})`;
  const own = oneLine(shape.description ?? '') || (item ? 'Values' : TYPE_LABELS[type]);
  return cutText(own, DESCRIPTION_MAX_LENGTH - suffix.length) + suffix;
}

/** Returns whether the author's own description was cut. */
export function isDescriptionCut({ description }: FieldShape, sent: string): boolean {
  return !sent.startsWith(oneLine(description ?? ''));
}

/** Returns the default as a user would type it; `undefined` if it has no such form. */
export function defaultTextOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return defaultTextOf(value.map(defaultTextOf).join(' '));
  return (typeof value === 'string' && oneLine(value)) || undefined;
}
