// What the simulator asks the process of the bot, for the chat page. Not part of the Bot Interface.

/** A question about what the bot itself keeps, for its own process. */
export type SimBotQuestion =
  /** Answered with `SimCommandFile[]`. */
  | { readonly type: 'commands' }
  /** Answered with `SimTask[]`. */
  | { readonly type: 'tasks' }
  /** Adds a run that is due now. Answered with its id. */
  | { readonly type: 'run-task'; readonly task: string; readonly payload?: unknown }
  /** Answered with whether there was such a run. */
  | { readonly type: 'cancel-run'; readonly id: string }
  | { readonly type: 'retry-run'; readonly id: string }
  /** Answered with `SimStoredPage`. */
  | {
      readonly type: 'storage';
      readonly prefix: string;
      /** Entries after this key. @defaultValue from the first */
      readonly after?: string | undefined;
    };

/** A command of the bot, and where it is. */
export interface SimCommandFile {
  readonly name: string;
  /** Path from the bot's folder. */
  readonly file: string;
}

/** A task of the bot, and what is known of its runs. */
export interface SimTask {
  readonly name: string;
  /** Path from the bot's folder; `null` if no file defines the task of these runs. */
  readonly file: string | null;
  /** Such as `every 1h`; `null` if it runs when it is called. */
  readonly schedule: string | null;
  /** Whether a run has a payload. */
  readonly hasPayload: boolean;
  /** The first 50: those that failed, the next of the schedule, and those that were called. */
  readonly runs: readonly SimTaskRun[];
  readonly hasMore: boolean;
}

export interface SimTaskRun {
  readonly id: string;
  readonly state: 'failed' | 'scheduled' | 'pending';
  /** When it is due, or was; ISO 8601. */
  readonly at: string;
  /** The number of the attempt that comes next, if it was tried before. */
  readonly attempt?: number | undefined;
  readonly payload?: unknown;
  /** Why it failed. */
  readonly reason?: string | undefined;
}

/** A page of what the bot stores, in the order of the keys. */
export interface SimStoredPage {
  readonly entries: readonly SimStoredEntry[];
  readonly hasMore: boolean;
}

export interface SimStoredEntry {
  readonly key: string;
  /** JSON; the first 2,000 characters. */
  readonly value: string;
  /** Characters of the whole value. */
  readonly length: number;
}

/** The answer to a question: a value, or why there is none. */
export type SimBotAnswer =
  | { readonly value: unknown }
  | { readonly error: { readonly code: string; readonly message: string } };
