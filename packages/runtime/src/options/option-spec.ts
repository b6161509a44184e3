import type { OptionType } from '@virgule/core/protocol';
import type { LineOption } from '@virgule/core/raw-input';
import type * as z from 'zod';
import type { ExpectedValue } from '../errors/error-guards.js';

/** Conversion of the words of an option to the value that its schema receives. */
export interface ValueSpec {
  /** Input of the schema: `text` is the string as typed, the others are the value that the string represents. */
  readonly input: 'text' | 'number' | 'boolean' | 'choice' | 'list';
  /** Accepted values. */
  readonly expected: ExpectedValue;
  /** Value of each of the choices. @defaultValue the string itself */
  readonly choiceValues?: readonly unknown[] | undefined;
  /** Words for true and for false, if the schema converts a string to a boolean. */
  readonly words?: readonly [yes: string, no: string] | undefined;
  /** `true` if a value can name a channel, or a message of a channel. */
  readonly canNamePlace?: boolean | undefined;
  readonly item?: ValueSpec | undefined;
}

/** An option of a command: its registration, and the conversion of a line to its value. */
export interface OptionSpec extends Omit<LineOption, 'expected'>, ValueSpec {
  /** Key in the schema, such as `maxCount`. The name on the platform is `name`: `max-count`. */
  readonly key: string;
  readonly type: OptionType;
  readonly required: boolean;
  /** Registered description, with the range, the choices and the default at its end. At most 100 characters. */
  readonly description: string;
  /** Value that the schema receives when the option is omitted. @defaultValue the key is absent */
  readonly absentAs?: 'null' | 'undefined' | undefined;
  /** `true` if the author of the command is the value when the option is omitted. Without an author, the option is required. */
  readonly isAuthor?: boolean | undefined;
  /** Default in the form that a user would type. */
  readonly defaultText?: string | undefined;
}

/** The options of a command, in the order in which users type them. */
export interface OptionsSpec {
  readonly options: readonly OptionSpec[];
  /** Schema of all options together; `null` if the command has no options. */
  readonly schema: z.ZodType | null;
  readonly isAsync?: boolean | undefined;
}
