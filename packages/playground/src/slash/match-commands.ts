import type { Command } from '@virgule/core/protocol';
import { didYouMean } from '@virgule/core/text';
import { commandWord } from '../state/bots.js';

/** Maximum number of commands in the menu. */
const MAX_LISTED = 50;

function byName(a: Command, b: Command): number {
  return commandWord(a).localeCompare(commandWord(b));
}

/** Returns commands whose name starts with the query, then those whose name contains it, then those whose description does. */
export function matchCommands(commands: readonly Command[], query: string): readonly Command[] {
  const wanted = query.toLowerCase();
  const ranked: readonly [Command[], Command[], Command[]] = [[], [], []];
  for (const command of commands.toSorted(byName)) {
    const word = commandWord(command).toLowerCase();
    if (word.startsWith(wanted)) ranked[0].push(command);
    else if (word.includes(wanted)) ranked[1].push(command);
    else if (command.description.toLowerCase().includes(wanted)) ranked[2].push(command);
  }
  return ranked.flat().slice(0, MAX_LISTED);
}

/** Returns the command that was probably meant; null if there is none. */
export function nearestCommand(commands: readonly Command[], name: string): Command | null {
  const nearest = didYouMean(
    name,
    commands.map((command) => command.name),
  );
  return commands.find((command) => command.name === nearest) ?? null;
}
