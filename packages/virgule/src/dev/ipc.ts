// What the dev server and the bot's process say to each other. Both run the same version, so the
// messages are types, not schemas.
import type { GatewayEvent, GatewayStatus } from '@virgule/client/gateway';
import type { Env } from '@virgule/runtime/process';
import type {
  SimBotAnswer,
  SimBotQuestion,
  SimClockState,
  SimProblem,
} from '@virgule/core/simulator-api';

/** From the dev server to the bot. */
export type ToChild =
  /**
   * Always the first: load the project and run it, in this environment and on this platform. `key` marks what the
   * process sends and logs.
   */
  | {
      readonly type: 'begin';
      readonly env: Env;
      readonly key: string;
      readonly token: string;
      readonly baseUrl: string;
      readonly live: boolean;
    }
  /** Answered by `handling` with the same number. `isDeferred`: the server shows the thinking state of this command. */
  | {
      readonly type: 'event';
      readonly number: number;
      readonly event: GatewayEvent;
      readonly isDeferred?: boolean | undefined;
    }
  /** The first with the state `ready` comes before all events. */
  | { readonly type: 'status'; readonly status: GatewayStatus }
  /** The clock of the world was moved, paused or continued. Comes before the first event if it differs from the real one. */
  | { readonly type: 'clock'; readonly clock: SimClockState }
  /** Answered by `reply` with the same number. */
  | (BotRequest & { readonly number: number })
  /** Compare the commands with the registered ones again; answered by `plan`. Only on a live platform. */
  | { readonly type: 'plan' }
  /** End in good order. */
  | { readonly type: 'stop' };

/** What the bot is asked. The reply to a question is a `SimBotAnswer`, that to the others a `ReloadOutcome`. */
export type BotRequest =
  /** It is this process that answers from now on: register the commands. */
  | { readonly type: 'register' }
  /** These files changed: absolute paths. */
  | { readonly type: 'reload'; readonly files: readonly string[] }
  /** A question of the page. */
  | { readonly type: 'question'; readonly question: SimBotQuestion };

/** What a sync did, or would do: names of commands. */
export interface CommandChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** What a reload came to. */
export type ReloadOutcome =
  /** The new code answers from now on, except what `problems` lists. */
  (
    | {
        readonly outcome: 'swapped';
        readonly evaluated: number;
        /** What was registered in consequence; `null` when nothing had to be. */
        readonly commands: CommandChanges | null;
        readonly problems: readonly SimProblem[];
      }
    /** Nothing that the bot is made of changed. */
    | { readonly outcome: 'unchanged' }
    /** Nothing of the new code is valid; the old code still answers. */
    | { readonly outcome: 'failed'; readonly problems: readonly SimProblem[] }
  ) & {
    /** Why only a new process can take the rest of the change; absent if there is none. */
    readonly restart?: string | undefined;
  };

/**
 * A message of the bot as it is sent. Code of the bot may use the same channel, by accident or not: what comes
 * without the key of its process is none of ours.
 */
export interface Keyed {
  readonly key: string;
  readonly message: FromChild;
}

/** From the bot to the dev server. */
export type FromChild =
  /**
   * A file is about to run, or waits for a package it imports, or what it exports creates the services. Only while
   * the project is loaded first.
   */
  | {
      readonly type: 'loading';
      readonly file: string;
      readonly imports?: string | undefined;
      readonly isCreating?: true | undefined;
    }
  /** The valid part of the project is loaded: events may come. Nothing is registered yet. */
  | {
      readonly type: 'loaded';
      readonly commands: number;
      readonly events: number;
      readonly tasks: number;
      readonly problems: readonly SimProblem[];
    }
  /** The project cannot be loaded at all; the process ends itself. */
  | { readonly type: 'refused'; readonly problems: readonly SimProblem[] }
  /** The reply to the request with this number. */
  | {
      readonly type: 'reply';
      readonly number: number;
      readonly value: ReloadOutcome | SimBotAnswer;
    }
  /** The event with this number is about to be handled: its name and files, as in `/play (commands/play.ts)`, if it has any. */
  | { readonly type: 'handling'; readonly number: number; readonly what: string | undefined }
  /** The folders of all files that the code consists of. Only when they are others than before. */
  | { readonly type: 'folders'; readonly folders: readonly string[] }
  /** What a deploy would do. Only on a live platform. */
  | { readonly type: 'plan'; readonly plan: CommandChanges }
  /** A heartbeat, once a second. */
  | { readonly type: 'alive'; readonly heapBytes: number; readonly heapLimitBytes: number };
