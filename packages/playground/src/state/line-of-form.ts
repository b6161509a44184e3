import type { Command } from '@virgule/core/protocol';
import { quote } from '@virgule/core/raw-input';
import { mentionFor, type Mentionable } from '@virgule/core/simulator-api';
import { isNamed } from '../slash/typed-line.js';
import { commandWord } from './bots.js';

/** Returns the line that runs a command with the values of a form; empty values are left out. */
export function lineOfForm(
  command: Command,
  values: Readonly<Record<string, string>>,
  nameable: Mentionable,
): string {
  // Named values come first: after the beginning of a text that takes the rest of the line, a name is part of the text.
  const options = command.options.toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)));
  const words = options.flatMap((each): readonly string[] => {
    const { name: option, type, required } = each;
    const typed = (values[option] ?? '').trim();
    const value = mentionFor(type, typed, nameable) ?? typed;
    if (value === '') return [];
    if (type === 'boolean' && !required)
      return [value === 'yes' ? `--${option}` : `--no-${option}`];
    const word = /^[^\s"'`]+$/.test(value) ? value : quote(value);
    // An optional value is named, because its position depends on the values that are left out before it.
    return required && !isNamed(each) ? [word] : [`--${option}`, word];
  });
  return [`/${commandWord(command)}`, ...words].join(' ');
}
