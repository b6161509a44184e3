import type { OptionType } from '@virgule/core/protocol';
import type { Command } from '../load/project.js';
import { formatUsage } from '../raw-input/format-usage.js';

/** What users are told of an option. */
export interface OptionInfo {
  readonly name: string;
  /** With the range, the choices and the default at its end; empty when it has none. */
  readonly description: string;
  readonly type: OptionType;
  readonly required: boolean;
}

/** What users are told of a command. */
export interface CommandInfo {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  /** What to type: `/roll [sides=6] [count=1]`. */
  readonly usage: string;
  /** In the order in which they are typed. */
  readonly options: readonly OptionInfo[];
}

/** The commands as a help shows them, in the order of the alphabet. */
export function describeCommands(commands: Iterable<Command>): readonly CommandInfo[] {
  return [...commands].map(describeCommand).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describeCommand({ name, spec, wire }: Command): CommandInfo {
  return {
    name,
    description: wire.description,
    usage: formatUsage({ name, spec }),
    options: spec.options.map(({ name: optionName, description, type, required }) => ({
      name: optionName,
      description,
      type,
      required,
    })),
  };
}
