import type { VirguleError } from '@virgule/core/errors';
import type { SyncCommandItem } from '@virgule/core/protocol';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import type { Command } from './command.js';

type Commands = ReadonlyMap<string, Command>;

/** Returns the command with a name, else the first command with this alias. */
export function commandNamed(commands: Commands, name: string): Command | undefined {
  return commands.get(name) ?? [...commands.values()].find(({ aliases }) => aliases.includes(name));
}

/** Returns the commands in the form sent to the platform. Each alias is a separate command there. */
export function wireCommands({ commands }: { readonly commands: Commands }): SyncCommandItem[] {
  const items = new Map<string, SyncCommandItem>();
  for (const { wire } of commands.values()) items.set(wire.name, wire);
  for (const { wire, aliases } of commands.values()) {
    for (const name of aliases) if (!items.has(name)) items.set(name, { ...wire, name });
  }
  return [...items.values()];
}

/** Returns an `E_COMMAND_CONFLICT` for each alias that equals the name of a command, or an earlier alias of another command. */
export function aliasConflicts(commands: Commands): VirguleError[] {
  return [...commands.values()].flatMap((command) =>
    command.aliases.flatMap((name) => {
      const other = commandNamed(commands, name);
      if (!other || (other === command && name !== command.name)) return [];
      const { file } = command;
      return [
        runtimeErrors.E_COMMAND_CONFLICT(
          { kind: 'alias', file, name, other: other.file },
          { location: { file } },
        ),
      ];
    }),
  );
}
