// Messages between the dev server and the bot's process. Both run the same version, so the messages are types, not
// schemas.
import type { GatewayEvent, GatewayStatus } from '@virgule/client/gateway';
import type { Env } from '@virgule/runtime/project';
import type {
  SimBotAnswer,
  SimBotQuestion,
  SimClockState,
  SimProblem,
} from '@virgule/core/simulator-api';
import type { LoadingStep } from '../loader/loading-steps.js';
import type { RouteCounts } from '../terminal/count-routes.js';

/** First message to the bot: load and run the project. */
export interface Begin {
  readonly type: 'begin';
  /** Environment of the bot. */
  readonly env: Env;
  /** Marks the messages and log entries of the process. */
  readonly key: string;
  readonly token: string;
  readonly baseUrl: string;
  /** True on a real platform: no command is registered, and users see the messages of production. */
  readonly live: boolean;
}

/** Message from the dev server to the bot. */
export type ToChild =
  | Begin
  /** Event to handle; the reply is `handling`. `isDeferred`: the server shows the thinking state of this command. */
  | {
      readonly type: 'event';
      readonly number: number;
      readonly event: GatewayEvent;
      readonly isDeferred?: boolean | undefined;
    }
  /** Status of the gateway. The first status with the state `ready` precedes all events. */
  | { readonly type: 'status'; readonly status: GatewayStatus }
  /** New state of the world's clock. Precedes the first event if the clock differs from the real one. */
  | { readonly type: 'clock'; readonly clock: SimClockState }
  /** Request to the bot; the bot responds with `reply` and the same number. */
  | (BotRequest & { readonly number: number })
  /** Request to drain and end. */
  | { readonly type: 'stop' };

/** Request to the bot. The reply is a `SimBotAnswer` to a question, else a `ReloadOutcome`. */
export type BotRequest =
  /** Files that changed, as absolute paths. Without files, registers the commands; on a live platform, sends the plan. */
  | { readonly type: 'reload'; readonly files: readonly string[] }
  /** Question of the page. */
  | { readonly type: 'question'; readonly question: SimBotQuestion };

/** Names of commands that a sync changed, or would change. */
export interface CommandChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Outcome of a reload. */
export interface ReloadOutcome {
  /** True if new code answers from now on. */
  readonly isNew: boolean;
  /** Number of evaluated modules. */
  readonly evaluated: number;
  /** Changes of the registered commands; `null` when there were none. */
  readonly commands: CommandChanges | null;
  /** All current problems. Their files keep the last working version. */
  readonly problems: readonly SimProblem[];
  /** Reason why the rest of the change needs a new process; absent if the change is complete. */
  readonly restart?: string | undefined;
}

/** Message of the bot with the key of its process: code of the bot may use the same channel. */
export interface Keyed {
  readonly key: string;
  readonly message: FromChild;
}

/** Settings for commands that the server defers or answers in place of the bot. */
export interface ServerAnswers {
  /** Text `restarting`. */
  readonly restarting: string;
  /** Time from receipt to defer in milliseconds, or `null` for none, by name, of commands with an unusual time. */
  readonly defers: Readonly<Record<string, number | null>>;
}

/** Message from the bot to the dev server. */
export type FromChild =
  /** Step of the first load: a file runs, waits for an imported package, or creates the services. */
  | ({ readonly type: 'loading'; readonly isCreating?: true | undefined } & LoadingStep)
  /** The valid part of the project is loaded, and events may be sent. No command is registered yet. */
  | ({ readonly type: 'loaded'; readonly problems: readonly SimProblem[] } & RouteCounts)
  /** No part of the project can be loaded; the process ends itself. */
  | { readonly type: 'refused'; readonly problems: readonly SimProblem[] }
  /** Reply to the request with this number. */
  | {
      readonly type: 'reply';
      readonly number: number;
      readonly value: ReloadOutcome | SimBotAnswer;
    }
  /**
   * The event is about to be handled by `what`, as in `/play (commands/play.ts)`; `undefined` if no file handles it.
   */
  | { readonly type: 'handling'; readonly number: number; readonly what: string | undefined }
  /** Folders of all files of the code, and its settings for the server. Sent only when they have changed. */
  | ({ readonly type: 'code'; readonly folders: readonly string[] } & ServerAnswers)
  /** Changes that a deploy would make. Only on a live platform. */
  | { readonly type: 'plan'; readonly plan: CommandChanges }
  /** Heartbeat, sent once a second. */
  | { readonly type: 'alive' };
