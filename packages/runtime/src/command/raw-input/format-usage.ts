import type { OptionsSpec, OptionSpec } from '../../options/option-spec.js';

/** The part of a command that is needed to read and show its line. */
export interface InputCommand {
  readonly name: string;
  readonly spec: OptionsSpec;
}

const DEFAULT_MAX_LENGTH = 20;

/** Returns the usage line of a command: `/play [--loop] <url> [volume=50] [note…]`. */
export function formatUsage({ name, spec }: InputCommand): string {
  // Flags come first: after the beginning of a text that takes the rest of the line, a flag is part of the text.
  const flags = spec.options.filter(({ take }) => take === 'flag');
  const others = spec.options.filter(({ take }) => take !== 'flag');
  return [`/${name}`, ...[...flags, ...others].map(usageOf)].join(' ');
}

function usageOf({ name, required, take, defaultText }: OptionSpec): string {
  if (take === 'flag') return defaultText === 'true' ? `[--no-${name}]` : `[--${name}]`;
  const label = take === 'word' ? name : `${name}…`;
  if (required) return `<${label}>`;
  return defaultText === undefined || defaultText.length > DEFAULT_MAX_LENGTH
    ? `[${label}]`
    : `[${label}=${defaultText}]`;
}
