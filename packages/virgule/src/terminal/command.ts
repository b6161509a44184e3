import type { Arguments, Flags } from './arguments.js';
import type { Io } from './io.js';

export interface CliCommand<F extends Flags = Flags> {
  readonly name: string;
  /** Words of the command for the help, such as `"/line"`; empty without words. */
  readonly words: string;
  readonly about: string;
  readonly flags: F;
  /** Subcommands by first word, such as `virgule sim say`. */
  readonly actions?: () => Promise<Readonly<Record<string, CliCommand>>>;
  readonly examples: readonly string[];
  /** Meanings of exit codes, if there are more than 0 for success and 1 for an error. */
  readonly exits?: Readonly<Record<number, string>>;
  /** Exit code for an error that is thrown. @defaultValue `1` */
  readonly failure?: number;
  /** True if a signal ends the process at once, even in code that never yields: the command leaves nothing behind. */
  readonly endsAtSignals?: boolean;
  /** Runs the command and resolves with the exit code. Throws errors. */
  run(args: Arguments<F>, io: Io): Promise<number>;
}

/** Returns the command unchanged, and infers the types of its flags. */
export function defineCliCommand<const F extends Flags>(command: CliCommand<F>): CliCommand<F> {
  return command;
}
