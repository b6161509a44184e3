import type { Command } from '@virgule/core/protocol';
import { quote } from '@virgule/core/raw-input';
import { mentionFor, type Mentionable } from '../slash/mentions.js';
import { commandWord } from './bots.js';

/** Returns the line that runs a command with the values of a form; empty values are left out. */
export function lineOfForm(
  command: Command,
  values: Readonly<Record<string, string>>,
  nameable: Mentionable,
): string {
  const words = command.options.flatMap(({ name: option, type, required }): readonly string[] => {
    const typed = (values[option] ?? '').trim();
    const value = mentionFor(type, typed, nameable) ?? typed;
    if (value === '') return [];
    if (type === 'boolean' && !required)
      return [value === 'yes' ? `--${option}` : `--no-${option}`];
    const word = /^[^\s"'`]+$/.test(value) ? value : quote(value);
    // An optional value is named, because its position depends on the values that are left out before it.
    return required ? [word] : [`--${option}`, word];
  });
  return [`/${commandWord(command)}`, ...words].join(' ');
}
