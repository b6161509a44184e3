import type { Arguments, Flags } from './arguments.js';
import type { Io } from './io.js';

/** One command of `virgule`. */
export interface CliCommand<F extends Flags = Flags> {
  readonly name: string;
  /** The words it takes, as shown in the help, such as `"/line"`. Empty when none. */
  readonly words: string;
  /** One line. */
  readonly about: string;
  readonly flags: F;
  /** Commands that are named by its first word, such as `virgule sim say`. */
  readonly actions?: Readonly<Record<string, CliCommand>>;
  readonly examples: readonly string[];
  /** What its exit codes mean, where that is more than 0 for done and 1 for an error. */
  readonly exits?: Readonly<Record<number, string>>;
  /** The exit code of an error that is thrown. @defaultValue `1` */
  readonly failure?: number;
  /** Runs it and resolves with the exit code. Errors are thrown. */
  run(args: Arguments<F>, io: Io): Promise<number>;
}

/** Keeps the types of a command's flags. */
export function defineCliCommand<const F extends Flags>(command: CliCommand<F>): CliCommand<F> {
  return command;
}
