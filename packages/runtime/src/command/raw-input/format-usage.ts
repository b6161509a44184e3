import type { OptionsSpec, OptionSpec } from '../../options/option-spec.js';

/** The part of a command that is needed to read and show its line. */
export interface InputCommand {
  readonly name: string;
  readonly spec: OptionsSpec;
}

const DEFAULT_MAX_LENGTH = 20;

/** Returns the usage line of a command: `/play [--loop] [--from <value>] <url> [volume=50] [note…]`. */
export function formatUsage({ name, spec }: InputCommand, prefix = '/'): string {
  // Named options come first: after the beginning of a text that takes the rest of the line, a name is part of the text.
  const byName = spec.options.filter(({ named }) => named);
  const inOrder = spec.options.filter(({ named }) => !named);
  return [`${prefix}${name}`, ...[...byName, ...inOrder].map(usageOf)].join(' ');
}

function usageOf({ name, required, take, named, negatable, defaultText }: OptionSpec): string {
  const label = take === 'word' ? name : `${name}…`;
  const shown = named ? `--${label}` : label;
  if (required) return named ? `${shown} <value>` : `<${shown}>`;
  if (named && negatable) return defaultText === 'true' ? `[--no-${name}]` : `[--${name}]`;
  if (defaultText === undefined || defaultText.length > DEFAULT_MAX_LENGTH)
    return named ? `[${shown} <value>]` : `[${shown}]`;
  return `[${shown}=${defaultText}]`;
}
