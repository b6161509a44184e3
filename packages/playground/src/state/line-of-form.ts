import type { Command } from '@virgule/core/protocol';
import { quote } from '@virgule/core/raw-input';

/** Returns the line that runs a command with the values of a form; empty ones are left out. */
export function lineOfForm(
  { name, options }: Command,
  values: Readonly<Record<string, string>>,
): string {
  const words = options.flatMap(({ name: option, type, required }): readonly string[] => {
    const value = (values[option] ?? '').trim();
    if (value === '') return [];
    if (type === 'boolean' && !required)
      return [value === 'yes' ? `--${option}` : `--no-${option}`];
    const word = /^[^\s"'`]+$/.test(value) ? value : quote(value);
    // A value whose place depends on what is left out before it is named.
    return required ? [word] : [`--${option}`, word];
  });
  return [`/${name}`, ...words].join(' ');
}
