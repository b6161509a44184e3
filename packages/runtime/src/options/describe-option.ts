import { DESCRIPTION_MAX_LENGTH } from '@virgule/core/protocol';
import type { OptionType } from '@virgule/core/protocol';
import { cutText } from './cut-text.js';
import type { FieldShape } from './field-shape.js';
import { rangeText } from './value-texts.js';

/** What stands for a description when the author gave none: the platform wants at least a character. */
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
const MAX_DEFAULT_LENGTH = 20;

export interface OptionTexts {
  readonly type: OptionType;
  readonly choices?: readonly string[] | undefined;
  readonly defaultText?: string | undefined;
}

/**
 * The description of an option as it is sent. What the wire has no field for stands at its end in
 * brackets, `Faces on each die (2-1000, default 6)`, and is kept when the text must be cut.
 */
export function describeOption(
  shape: FieldShape,
  { type, choices, defaultText }: OptionTexts,
): string {
  const facts = [
    choices ? cutText(choices.join('|'), MAX_CHOICES_LENGTH) : rangeText(shape),
    defaultText === undefined ? '' : `default ${cutText(defaultText, MAX_DEFAULT_LENGTH)}`,
  ].filter((fact) => fact !== '');
  const suffix = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const own = oneLine(shape.description ?? '');
  return (
    cutText(own === '' ? TYPE_LABELS[type] : own, DESCRIPTION_MAX_LENGTH - suffix.length) + suffix
  );
}

/** Whether the author's own words did not fit into the description that is sent. */
export function isDescriptionCut({ description }: FieldShape, sent: string): boolean {
  return !sent.startsWith(oneLine(description ?? ''));
}

/** The default as a user would type it; `undefined` when it has no such form. */
export function defaultTextOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? oneLine(value) : undefined;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
