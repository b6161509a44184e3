import type { Command, CommandOption } from '@virgule/core/protocol';
import type { CommandLine, ReadSlashInput, SlashLine } from './read-slash.js';
import { readSlash } from './read-slash.js';

/** The effect of Enter on a line that starts with a slash. */
export type EnterDecision =
  | { readonly do: 'run'; readonly command: Command; readonly rawInput: string }
  | { readonly do: 'refuse'; readonly option: CommandOption }
  | { readonly do: 'text' };

function run(line: CommandLine): EnterDecision {
  return { do: 'run', command: line.command, rawInput: line.rawInput };
}

/**
 * Returns the effect of Enter on the whole line, regardless of the menu. A line without a required
 * option is not sent, unless `anyway` is set.
 */
export function decideEnter(input: ReadSlashInput, anyway: boolean): EnterDecision {
  // With the caret after the name, so that a complete name is a command and not one that is being typed.
  const text = /\s/.test(input.text) ? input.text : `${input.text} `;
  const line: SlashLine | null = readSlash({ ...input, text, caret: text.length });
  if (line?.kind !== 'command') return { do: 'text' };
  const missing = line.missing[0];
  return missing === undefined || anyway ? run(line) : { do: 'refuse', option: missing };
}
