import type { Command, CommandOption } from '@virgule/core/protocol';
import { countOf, listOf } from '@virgule/core/text';
import type { SlashLine } from '../slash/read-slash.js';
import { commandWord } from '../state/bots.js';

export interface MenuItem {
  /** `nearest` is the command that the user probably meant; `choose-file` opens the dialog for files. */
  readonly kind: 'command' | 'nearest' | 'as-text' | 'choose-file' | 'value';
  readonly key: string;
  /** The command as typed, or the label of a value; empty if the text is sufficient. */
  readonly name: string;
  readonly text: string;
  readonly options: readonly CommandOption[];
  /** Text that is inserted into the line. */
  readonly insert: string;
}

const item = (values: Partial<MenuItem> & Pick<MenuItem, 'kind' | 'text'>): MenuItem => ({
  key: values.kind,
  name: '',
  options: [],
  insert: '',
  ...values,
});
const AS_TEXT = item({ kind: 'as-text', text: 'Send it as a message' });
const CHOOSE_FILE = item({ kind: 'choose-file', key: ' choose-file', text: 'Choose a file…' });

function commandItem(kind: 'command' | 'nearest', command: Command): MenuItem {
  const { id: key, description: text, options } = command;
  const name = `/${commandWord(command)}`;
  return { kind, key, name, text, options, insert: `${name} ` };
}

export function menuItems(line: SlashLine | null): readonly MenuItem[] {
  switch (line?.kind) {
    case 'naming':
      return line.matches.map((command) => commandItem('command', command));
    case 'unknown':
      return line.nearest === null ? [AS_TEXT] : [commandItem('nearest', line.nearest), AS_TEXT];
    case 'mention':
    case 'command': {
      const values = line.values.map(({ insert, label: name, detail: text }) =>
        item({ kind: 'value', key: insert, name, text, insert }),
      );
      return line.kind === 'command' && line.takesFile ? [...values, CHOOSE_FILE] : values;
    }
    case undefined:
      return [];
  }
}

/** Index of the first selected item; -1 for a complete line, which Enter sends without adding a value. */
export function firstChoice(line: SlashLine | null): number {
  if (line?.kind !== 'command') return 0;
  return line.values.length > 0 && line.replaces.end > line.replaces.start ? 0 : -1;
}

/** Returns the announcement of the selected item. */
export function describeChoice(items: readonly MenuItem[], index: number): string {
  const chosen = items[index];
  if (chosen === undefined) return '';
  const { kind, name, text, options } = chosen;
  if (name === '') return text.replace('…', '');
  if (kind === 'value') return `${countOf(items.length, 'value')}. ${name}`;
  const needed = options.filter((option) => option.required).map((option) => option.name);
  const needs = needed.length === 0 ? '' : `, needs ${listOf(needed)}`;
  const count = kind === 'nearest' ? 'Did you mean' : `${countOf(items.length, 'command')}.`;
  return `${count} ${name}, ${text}${needs}`;
}
