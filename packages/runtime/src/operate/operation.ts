import type { ScaledProcess } from '../scale/scale.js';
import type { StorageConnection } from '../storage/storage.js';
import type { Task } from '../tasks/task.js';

interface Output {
  write(text: string): unknown;
}

/** What the commands `storage`, `task` and `dead` need of the bot, and of the program that they are part of. */
export interface OperationContext {
  /** What is typed before the name of the command. @defaultValue `virgule` */
  readonly program?: string | undefined;
  readonly stdout: Output;
  readonly stderr: Output;
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

/** One action of a command, such as `list`. */
export interface Action<Input> {
  /** How many words it takes. */
  readonly least: number;
  readonly most: number;
  /** Resolves with the exit code. */
  run(input: Input): Promise<number>;
}

/** Returns the action that words name, if it takes as many as follow. */
export function actionOf<Input>(
  actions: Readonly<Record<string, Action<Input>>>,
  [name = '', ...given]: readonly string[],
): Action<Input> | undefined {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  return action && given.length >= action.least && given.length <= action.most ? action : undefined;
}
