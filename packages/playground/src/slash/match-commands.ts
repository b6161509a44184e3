import type { Command } from '@virgule/core/protocol';

/** Maximum number of commands in the menu. */
const LISTED_MAX = 50;

function byName(a: Command, b: Command): number {
  return a.name.localeCompare(b.name);
}

/** Returns commands whose name starts with the query, then those whose name contains it, then those whose description does. */
export function matchCommands(commands: readonly Command[], query: string): readonly Command[] {
  const wanted = query.toLowerCase();
  const ranked: readonly [Command[], Command[], Command[]] = [[], [], []];
  for (const command of commands.toSorted(byName)) {
    if (command.name.startsWith(wanted)) ranked[0].push(command);
    else if (command.name.includes(wanted)) ranked[1].push(command);
    else if (command.description.toLowerCase().includes(wanted)) ranked[2].push(command);
  }
  return ranked.flat().slice(0, LISTED_MAX);
}

/** Returns the number of letters to add, remove, replace or swap with their neighbor. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(
        (above[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + cost,
      );
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap && column > 1) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      line.push(least);
    }
    before = above;
    above = line;
  }
  return above[b.length] ?? 0;
}

/** Returns the command that was probably meant, with at most two edits; null if there is none. */
export function nearestCommand(commands: readonly Command[], name: string): Command | null {
  const wanted = name.toLowerCase().slice(0, 40);
  let best: { readonly command: Command; readonly letters: number } | null = null;
  for (const command of commands) {
    const letters = distance(wanted, command.name);
    const isNear = letters <= Math.min(2, Math.floor(command.name.length / 2));
    if (isNear && (best === null || letters < best.letters)) best = { command, letters };
  }
  return best?.command ?? null;
}
