import type { SimProblem } from '@virgule/core/simulator-api';
import type { CommandChanges, ReloadOutcome } from '../ipc.js';

/** A report of the dev server, as data: `--json` prints it unchanged. */
export type DevReport =
  | {
      readonly type: 'ready';
      /** Whether the platform is a real one; then there is no page. */
      readonly live: boolean;
      readonly page?: string | undefined;
      readonly baseUrl: string;
      readonly gatewayUrl: string;
      /** Throwaway values of a simulator. A real token is never reported. */
      readonly token?: string | undefined;
      readonly userToken?: string | undefined;
      readonly bot: string;
      /** The valid ones, which answer. */
      readonly commands: number;
      readonly events: number;
      readonly tasks: number;
      /** How many messages of an earlier run are in the chat; absent if the chat is new. */
      readonly restored?: number | undefined;
      readonly ms: number;
    }
  /** The start takes its time: what it is busy with, and for how long. */
  | {
      readonly type: 'loading';
      readonly file: string;
      readonly imports?: string | undefined;
      readonly ms: number;
    }
  /** Changed code answers from now on. */
  | {
      readonly type: 'reload';
      readonly files: readonly string[];
      readonly evaluated: number;
      /** Whether commands had to be registered, and which. */
      readonly synced: boolean;
      readonly commands?: CommandChanges | undefined;
      /** How many problems are left; those that are new come as `problems`. */
      readonly problems?: number | undefined;
      readonly ms: number;
    }
  /** A new process runs the bot; the connection was kept. */
  | { readonly type: 'restart'; readonly reason: string; readonly ms: number }
  /**
   * Some code is invalid. `answering`: whether the last working version of it answers, and everything else; otherwise
   * nothing runs.
   */
  | {
      readonly type: 'problems';
      readonly problems: readonly SimProblem[];
      readonly answering: boolean;
      /** Whether it answers without them: the process started with these problems, and has no earlier version. */
      readonly fresh?: true | undefined;
    }
  /** All reported problems are fixed. */
  | { readonly type: 'fixed' }
  /** The bot's process ended by itself. */
  | { readonly type: 'lost'; readonly how: string }
  | { readonly type: 'dropped'; readonly events: number }
  /** It was too late for these commands when the process that had them ended. */
  | { readonly type: 'expired'; readonly commands: readonly string[] }
  /** What a deploy to the real platform would do; nothing was sent. All lists are empty when it would do nothing. */
  | ({ readonly type: 'plan' } & CommandChanges)
  /** Something that does not stop the work, in one line. */
  | { readonly type: 'notice'; readonly text: string }
  /** A line that the bot wrote. */
  | {
      readonly type: 'output';
      readonly stream: 'stdout' | 'stderr';
      readonly line: string;
      /** Whether it is a log entry, as JSON. Anything else that a bot prints is not, whatever it looks like. */
      readonly log?: true | undefined;
    };

/** Returns the report of changed code that answers from now on. */
export const reloadReport = (
  files: readonly string[],
  { evaluated, commands, problems }: Extract<ReloadOutcome, { readonly outcome: 'swapped' }>,
  ms: number,
): DevReport => ({
  type: 'reload',
  files,
  evaluated,
  synced: commands !== null,
  ...(commands && { commands }),
  ...(problems.length > 0 && { problems: problems.length }),
  ms: Math.round(ms),
});
