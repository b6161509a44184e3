import type { Command, CommandOption } from '@virgule/core/protocol';
import type { CommandLine, ReadSlashInput, SlashLine } from './read-slash.js';
import { readSlash } from './read-slash.js';

/** What Enter does with a line that starts with a slash. */
export type EnterDecision =
  | { readonly do: 'run'; readonly command: Command; readonly rawInput: string }
  | { readonly do: 'refuse'; readonly option: CommandOption }
  | { readonly do: 'text' };

function run(line: CommandLine): EnterDecision {
  return { do: 'run', command: line.command, rawInput: line.rawInput };
}

/**
 * Decides for the line as a whole, whatever the menu shows. A required option that is missing stops
 * it; `anyway` sends it for the bot to judge.
 */
export function decideEnter(input: ReadSlashInput, anyway: boolean): EnterDecision {
  // Beyond the name, so that a complete name counts as a command and not as one being typed.
  const text = /\s/.test(input.text) ? input.text : `${input.text} `;
  const line: SlashLine | null = readSlash({ ...input, text, caret: text.length });
  if (line?.kind !== 'command') return { do: 'text' };
  const missing = line.missing[0];
  return missing === undefined || anyway ? run(line) : { do: 'refuse', option: missing };
}
