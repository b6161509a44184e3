import type { SimProblem } from '@virgule/core/simulator-api';
import type { LoadingStep } from '../../loader/loading-steps.js';
import type { CommandChanges } from '../ipc.js';

/** Report of the dev server, as data: `--json` prints it unchanged. */
export type DevReport =
  | {
      readonly type: 'ready';
      /** True on a real platform, which has no page. */
      readonly live: boolean;
      readonly page?: string | undefined;
      readonly baseUrl: string;
      readonly gatewayUrl: string;
      /** Throwaway values of a simulator. A real token is never reported. */
      readonly token?: string | undefined;
      readonly userToken?: string | undefined;
      readonly bot: string;
      /** Number of valid commands, which answer. */
      readonly commands: number;
      readonly events: number;
      readonly tasks: number;
      /** `false` if no code of the bot runs, for the reason that is reported next; else absent. */
      readonly answering?: false | undefined;
      /** Number of messages in the chat from an earlier run; absent if the chat is new. */
      readonly restored?: number | undefined;
      readonly ms: number;
    }
  /** The start is slow: the current file or package, and the time spent on it. */
  | ({ readonly type: 'loading'; readonly ms: number } & LoadingStep)
  /** Changed code answers from now on. */
  | {
      readonly type: 'reload';
      readonly files: readonly string[];
      readonly evaluated: number;
      /** True if commands were registered; `commands` names them. */
      readonly synced: boolean;
      readonly commands?: CommandChanges | undefined;
      /** Number of remaining problems; new ones are reported as `problems`. */
      readonly problems?: number | undefined;
      readonly ms: number;
    }
  /** A new process runs the bot; the connection was kept. */
  | { readonly type: 'restart'; readonly reason: string; readonly ms: number }
  /** Some code is invalid. If `answering`, its last working version and all other code answer; else nothing runs. */
  | {
      readonly type: 'problems';
      readonly problems: readonly SimProblem[];
      readonly answering: boolean;
      /** True if the process started with these problems, and has no earlier version of the invalid code. */
      readonly fresh?: true | undefined;
    }
  /** All reported problems are fixed. */
  | { readonly type: 'fixed' }
  /** The bot's process ended by itself. */
  | { readonly type: 'lost'; readonly how: string }
  | { readonly type: 'dropped'; readonly events: number }
  /** These commands expired before the process that had them ended. */
  | { readonly type: 'expired'; readonly commands: readonly string[] }
  /** Changes that a deploy would make; nothing was sent. All lists are empty when there are none. */
  | ({ readonly type: 'plan' } & CommandChanges)
  /** Notice in one line that does not interrupt the work. */
  | { readonly type: 'notice'; readonly text: string }
  /** Line of the bot's output. */
  | {
      readonly type: 'output';
      readonly stream: 'stdout' | 'stderr';
      readonly line: string;
      /** True for a log entry, as JSON. Any other output of a bot is no log entry, even if it is JSON. */
      readonly log?: true | undefined;
    };
