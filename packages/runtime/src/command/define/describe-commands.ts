import type { CommandInfo } from '../command-info.js';
import { formatUsage } from '../raw-input/format-usage.js';
import type { Command } from './command.js';

/** Returns descriptions of the commands for a help command, in alphabetical order. */
export function describeCommands(commands: Iterable<Command>): readonly CommandInfo[] {
  return [...commands].map(describeCommand).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describeCommand({ name, aliases, spec, wire, meta }: Command): CommandInfo {
  return {
    name,
    aliases,
    description: wire.description,
    usage: formatUsage({ name, spec }),
    meta,
    options: spec.options.map(({ name: optionName, description, type, required }) => ({
      name: optionName,
      description,
      type,
      required,
    })),
  };
}
