import { errorText } from '@virgule/core/errors';
import { listOf } from '@virgule/core/text';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { ScaledProcess } from '../scale/scale.js';
import type { StorageConnection } from '../storage/storage.js';
import type { Task } from '../tasks/task.js';

/** What the commands `storage`, `task` and `dead` need of the bot, and of the program that they are part of. */
export interface OperationContext {
  /** What is typed before the name of the command. @defaultValue `virgule` */
  readonly program?: string | undefined;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Ends it between two entries. */
  readonly interrupt: AbortSignal;
  /** Opens the storage of the bot, for this command. */
  openStorage(): Promise<StorageConnection>;
  readTasks(): Promise<ReadonlyMap<string, Task>>;
  /** Connects to the other processes of the bot. @throws VirguleError `E_NOT_SCALED` if it has none. */
  openScale(): Promise<ScaledProcess>;
}

export interface OperationFlags {
  readonly json?: boolean | undefined;
  /** How long an entry that is set is kept. */
  readonly ttl?: string | undefined;
}

/** Runs a command with the words after its name. Resolves with the exit code. */
export type Operation = (
  words: readonly string[],
  flags: OperationFlags,
  context: OperationContext,
) => Promise<number>;

/** What an action gets. */
export interface ActionInput {
  /** The words after its name. */
  readonly given: readonly string[];
  readonly flags: OperationFlags;
  readonly context: OperationContext;
}

/** One action of a command, such as `list`. Resolves with the exit code, if it is not 0. */
type Action<Opened> = (opened: Opened, input: ActionInput) => Promise<number | void>;

/** Returns a command that opens something, runs an action on it, and closes it. */
export function defineOperation<Opened extends { close(): Promise<void> }>({
  command,
  actions,
  open,
}: {
  readonly command: string;
  /** By what is typed, such as `run NAME [JSON]`: a word in brackets may be omitted. */
  readonly actions: Readonly<Record<string, Action<Opened>>>;
  /** Opens what the actions work with. */
  readonly open: (context: OperationContext) => Promise<Opened>;
}): Operation {
  return async (words, flags, context) => {
    const [name, ...given] = words;
    const found = Object.entries(actions).find(([form]) => {
      const [action, ...takes] = form.split(' ');
      const least = takes.filter((word) => !word.startsWith('[')).length;
      return action === name && given.length >= least && given.length <= takes.length;
    });
    if (!found) {
      const forms = Object.keys(actions).map((form) => `\`${form}\``);
      throw wrongWords(command, context, listOf(forms, 'or'), words);
    }
    const opened = await open(context);
    try {
      return (await found[1](opened, { given, flags, context })) ?? 0;
    } finally {
      await opened.close();
    }
  };
}

/** Reads JSON that was typed. `want` is an example of it. */
export function readJson(
  text: string,
  command: string,
  want: string,
  context: OperationContext,
): NonNullable<unknown> | null {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw wrongWords(command, context, `${want} (${errorText(cause)})`, [text], cause);
  }
}

function wrongWords(
  command: string,
  { program }: OperationContext,
  want: string,
  saw: readonly string[],
  cause?: unknown,
) {
  return runtimeErrors.E_ARGUMENTS({ kind: 'words', command, program, want, saw }, { cause });
}
