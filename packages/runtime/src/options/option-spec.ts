import type { OptionType } from '@virgule/core/protocol';
import type { LineOption } from '@virgule/core/raw-input';
import type * as z from 'zod';

/** How the words of an option become the value that its schema receives. */
export interface ValueSpec {
  /** What the schema receives: the string as typed, or the value that the string represents. */
  readonly input: 'text' | 'number' | 'boolean' | 'choice' | 'list';
  /** What a user has to type, as in "expected a whole number from 1 to 6". */
  readonly expected: string;
  /** The values it can have, as typed. */
  readonly choices?: readonly string[] | undefined;
  /** The value of each of `choices`, where that is not the string itself. */
  readonly choiceValues?: readonly unknown[] | undefined;
  /** Of a string that the schema converts to a boolean: what it accepts for true and for false. */
  readonly words?: readonly [yes: string, no: string] | undefined;
  /** Of a list: its items. */
  readonly item?: ValueSpec | undefined;
  /** Text form of a value that differs from it: a duration is a number of milliseconds. */
  readonly format?: 'duration' | undefined;
  /** Whether it is an attachment, which not every string names. */
  readonly isAttachment?: boolean | undefined;
}

/** An option of a command: how it is registered, and how a line becomes its value. */
export interface OptionSpec extends LineOption, ValueSpec {
  /** Its key in the schema, such as `maxCount`. `name` is that on the platform: `max-count`. */
  readonly key: string;
  /** Type on the platform. */
  readonly type: OptionType;
  readonly required: boolean;
  /** As registered, with the range, the choices and the default at its end. At most 100 characters. */
  readonly description: string;
  /** What the schema receives when the option is omitted. @defaultValue its key is absent */
  readonly absentAs?: 'null' | 'undefined' | undefined;
  /** The default as a user would type it. */
  readonly defaultText?: string | undefined;
}

/** The options of a command, in the order in which users type them. */
export interface OptionsSpec {
  readonly options: readonly OptionSpec[];
  /** Checks all of them at once; `null` when the command has none. */
  readonly schema: z.ZodType | null;
  /** Whether the schema is known to be asynchronous. */
  readonly isAsync?: boolean | undefined;
}
