import type { OptionSpec } from '../options/option-spec.js';
import type { OptionsSpec } from '../options/read-options.js';

/** What is needed of a command to read and show its line. */
export interface InputCommand {
  readonly name: string;
  readonly spec: OptionsSpec;
}

const MAX_DEFAULT_LENGTH = 20;

/** One line that shows what to type: `/play <url> [volume=50] [note…]`. */
export function formatUsage({ name, spec }: InputCommand): string {
  return [`/${name}`, ...spec.options.map(usageOf)].join(' ');
}

function usageOf({ name, required, take, defaultText }: OptionSpec): string {
  const label = take === 'word' ? name : `${name}…`;
  if (required) return `<${label}>`;
  return defaultText === undefined || defaultText.length > MAX_DEFAULT_LENGTH
    ? `[${label}]`
    : `[${label}=${defaultText}]`;
}
