import type { OptionType } from '@virgule/core/protocol';
import type { Meta } from './register.js';

/** An option as users see it. */
export interface OptionInfo {
  readonly name: string;
  /** With the range, the choices and the default at its end; empty if there is none. */
  readonly description: string;
  readonly type: OptionType;
  readonly required: boolean;
}

/** A command as users see it. */
export interface CommandInfo {
  /** Without the slash. */
  readonly name: string;
  /** Other names that run it. */
  readonly aliases: readonly string[];
  readonly description: string;
  /** What to type: `/roll [sides=6] [count=1]`. */
  readonly usage: string;
  /** In the order in which they are typed. */
  readonly options: readonly OptionInfo[];
  /** Plain data of its author. */
  readonly meta: Meta;
}
