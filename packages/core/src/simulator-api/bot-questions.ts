// Questions of the simulator to the process of the bot, for the chat page. Not part of the Bot Interface.

/** A question about the state of the bot, which only its own process knows. */
export type SimBotQuestion =
  /** Commands, event handlers and tasks with questions. Answered with `SimHandlerFile[]`. */
  | { readonly type: 'handlers' }
  /** Answered with the file of a command and its text. */
  | { readonly type: 'source'; readonly command: string }
  /** Answered with `SimTask[]`. */
  | { readonly type: 'tasks' }
  /** Answered with the `id` of the new run, or whether the change is `done`: not if there is no such run. */
  | {
      readonly type: 'task';
      readonly action: 'run' | 'cancel' | 'retry';
      /** Name of the task that runs; otherwise id of the run. */
      readonly name: string;
      readonly payload?: unknown;
      /** Due time; ISO 8601. @defaultValue now */
      readonly at?: string | undefined;
    }
  /** Answered with `SimStoredPage`. */
  | {
      readonly type: 'storage';
      readonly prefix: string;
      /** Text that the key or the value of an entry must have, unless it has one of the `ids`. @defaultValue all entries */
      readonly search?: string | undefined;
      readonly ids?: readonly string[] | undefined;
      /** Returns entries after this key. @defaultValue from the first entry */
      readonly after?: string | undefined;
    }
  /** Sets the value of an entry, whose expiry does not change; without a value, deletes the entry. */
  | { readonly type: 'set-entry'; readonly key: string; readonly value?: unknown };

/** Keys of the framework in the storage, which only its own code may change. */
export const FRAMEWORK_KEY = /^(?:tasks|cooldowns|leader|virgule):/;

/** A command, an event handler or a task that events answer, with its file. */
export interface SimHandlerFile {
  /** Name of the command or of the event, such as `MESSAGE_CREATE`. */
  readonly name: string;
  /** Path from the bot's folder. */
  readonly file: string;
  /** Usage as a message, such as `!daily`; absent if messages do not run it. */
  readonly message?: string | undefined;
  /** Description of a command. */
  readonly about?: string | undefined;
  /** Quiet time before an event handler runs, in milliseconds. */
  readonly burstMs?: number | undefined;
}

/** A task of the bot, with its known runs. */
export interface SimTask {
  readonly name: string;
  /** Path from the bot's folder; `null` if no file defines the task of these runs. */
  readonly file: string | null;
  /** Schedule, such as `every 1h`; `null` if the task runs only when it is called. */
  readonly schedule: string | null;
  /** `true` if users can have the task run now: it has a file, and waits for no answer. */
  readonly canRun: boolean;
  /** JSON schema of the payload; `null` if the runs have no payload. */
  readonly payload: Readonly<Record<string, unknown>> | null;
  /** The first 50 runs: failed ones, pending ones in the order of their due times, then done ones, the newest first. */
  readonly runs: readonly SimTaskRun[];
  readonly hasMore: boolean;
}

export interface SimTaskRun {
  readonly id: string;
  /** State of the run; `'open'` for a question without an answer. */
  readonly state: 'failed' | 'scheduled' | 'pending' | 'open' | 'done';
  /** Due time, in the past or in the future; ISO 8601. */
  readonly at: string;
  /** Number of the next attempt; absent before the first attempt. */
  readonly attempt?: number | undefined;
  readonly payload?: unknown;
  /** Timing of the repeat whose next run this is, such as `every 1h`; absent for the schedule in the file of the task. */
  readonly timing?: string | undefined;
  /** Reason for the failure. */
  readonly reason?: string | undefined;
  /** Duration of the last attempt of a run that is done, in milliseconds. */
  readonly tookMs?: number | undefined;
}

/** A page of the storage of the bot, in the order of the keys. */
export interface SimStoredPage {
  readonly entries: readonly SimStoredEntry[];
  /** `true` also if the search ended early, after 100,000 entries. */
  readonly hasMore: boolean;
}

export interface SimStoredEntry {
  readonly key: string;
  /** JSON; the first 2,000 characters. */
  readonly value: string;
  /** Length of the whole value, in characters. */
  readonly length: number;
  /** Time until the entry expires, in milliseconds; `null` if it does not expire. */
  readonly expiresInMs: number | null;
}

/** The answer to a question: a value, or an error. */
export type SimBotAnswer =
  | { readonly value: unknown }
  | { readonly error: { readonly code: string; readonly message: string } };
