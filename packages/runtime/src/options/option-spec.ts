import type { OptionType } from '@virgule/core/protocol';

/** One option of a command: what the platform is told of it, and how typed text becomes its value. */
export interface OptionSpec {
  readonly name: string;
  /** Type on the wire. */
  readonly type: OptionType;
  readonly required: boolean;
  /** As sent: with the range, the choices and the default at its end, at most 100 characters. */
  readonly description: string;
  /**
   * How much of the line it takes: one word; the rest, less one enclosing pair of quotes; or the
   * rest as it stands.
   */
  readonly take: 'word' | 'rest' | 'raw';
  /** What its schema is given: the text as typed, or what the text stands for. */
  readonly input: 'text' | 'number' | 'boolean' | 'choice';
  /** What a user would have to type, as in "expected a whole number from 1 to 6". */
  readonly expected: string;
  /** The values it can have, as typed. */
  readonly choices?: readonly string[] | undefined;
  /** What each of `choices` stands for, where that is not the text itself. */
  readonly choiceValues?: readonly unknown[] | undefined;
  /** Whether `--name` and `--no-name` are complete. */
  readonly negatable?: boolean | undefined;
  /** Whether its schema is given `null` when it is left out. */
  readonly nullWhenAbsent?: boolean | undefined;
  /** The default as a user would type it. */
  readonly defaultText?: string | undefined;
  /** Text form of a value that differs from it: a duration is a number of milliseconds. */
  readonly format?: 'duration' | undefined;
}
