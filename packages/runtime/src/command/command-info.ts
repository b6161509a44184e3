import type { OptionType } from '@virgule/core/protocol';
import type { Meta } from './register.js';

/** Description of an option for users. */
export interface OptionInfo {
  readonly name: string;
  /** Description, followed by the range, the choices and the default; empty if the option has no description. */
  readonly description: string;
  readonly type: OptionType;
  readonly required: boolean;
}

/** Description of a command for users. */
export interface CommandInfo {
  /** Name without the slash. */
  readonly name: string;
  /** Other names that run the command. */
  readonly aliases: readonly string[];
  readonly description: string;
  /** Usage line: `/roll [sides=6] [count=1]`. With `messages: 'only'`, the same as `messageUsage`. */
  readonly usage: string;
  /** Usage as a message, `!roll [sides=6] [count=1]`; `undefined` for a command that messages do not run. */
  readonly messageUsage?: string | undefined;
  /** Options in the order in which users type them. */
  readonly options: readonly OptionInfo[];
  /** The `meta` of the command: plain data from its author. */
  readonly meta: Meta;
}

/** Returns the command with a name or an alias. */
export const infoOf = (commands: readonly CommandInfo[], wanted: string): CommandInfo | undefined =>
  commands.find(({ name, aliases }) => name === wanted || aliases.includes(wanted));
