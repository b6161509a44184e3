import type { Command } from '@virgule/core/protocol';
import { countOf, listOf } from '@virgule/core/text';
import type { ValueSuggestion } from '../slash/option-values.js';
import type { SlashLine } from '../slash/read-slash.js';
import { commandWord } from '../state/bots.js';

/** An item of the slash menu. */
export type MenuItem =
  | { readonly kind: 'command'; readonly key: string; readonly command: Command }
  /** The command that was probably meant. */
  | { readonly kind: 'nearest'; readonly key: string; readonly command: Command }
  | { readonly kind: 'as-text'; readonly key: string }
  /** Opens the dialog for files. */
  | { readonly kind: 'choose-file'; readonly key: string }
  | { readonly kind: 'value'; readonly key: string; readonly value: ValueSuggestion };

export function menuItems(line: SlashLine | null): readonly MenuItem[] {
  switch (line?.kind) {
    case 'naming':
      return line.matches.map((command) => ({ kind: 'command', key: command.id, command }));
    case 'unknown': {
      const asText: MenuItem = { kind: 'as-text', key: 'as-text' };
      if (line.nearest === null) return [asText];
      return [{ kind: 'nearest', key: line.nearest.id, command: line.nearest }, asText];
    }
    case 'command':
      return [
        ...line.values.map((value): MenuItem => ({ kind: 'value', key: value.insert, value })),
        ...(line.takesFile ? [{ kind: 'choose-file', key: ' choose-file' } as const] : []),
      ];
    case undefined:
      return [];
  }
}

/**
 * Returns the index of the item that is selected initially. A value is selected only when the user has
 * started to type one: Enter on a complete line sends it, and does not add `true`.
 */
export function firstChoice(line: SlashLine | null): number {
  if (line?.kind !== 'command') return 0;
  return line.values.length > 0 && line.replaces.end > line.replaces.start ? 0 : -1;
}

/** Returns the announcement of the selected item. */
export function describeChoice(items: readonly MenuItem[], index: number): string {
  const item = items[index];
  if (item === undefined) return '';
  if (item.kind === 'as-text') return 'Send it as a message';
  if (item.kind === 'choose-file') return 'Choose a file';
  if (item.kind === 'value') return `${countOf(items.length, 'value')}. ${item.value.label}`;
  const { description, options } = item.command;
  const needed = options.filter((option) => option.required).map((option) => option.name);
  const needs = needed.length === 0 ? '' : `, needs ${listOf(needed)}`;
  const count = item.kind === 'nearest' ? 'Did you mean' : `${countOf(items.length, 'command')}.`;
  return `${count} /${commandWord(item.command)}, ${description}${needs}`;
}
