import type { SimProblem } from '@virgule/core/simulator-api';
import type { CommandChanges } from './messages.js';

/** Everything a dev server tells, as data: `--json` prints it as it is. */
export type DevReport =
  | {
      readonly type: 'ready';
      /** Whether the platform is a real one; then there is no page. */
      readonly live: boolean;
      readonly page?: string | undefined;
      readonly baseUrl: string;
      readonly gatewayUrl: string;
      /** Throwaway values of a simulator; a real token is never told. */
      readonly token?: string | undefined;
      readonly userToken?: string | undefined;
      readonly bot: string;
      /** What is sound, and answers. */
      readonly commands: number;
      readonly events: number;
      /** How many messages of an earlier run are in the chat; none when it began anew. */
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
  /** Some code is not sound. `answering` tells whether its last good version, and the rest, goes on, or nothing runs now. */
  | {
      readonly type: 'problems';
      readonly problems: readonly SimProblem[];
      readonly answering: boolean;
    }
  /** Every problem that was told is mended. */
  | { readonly type: 'mended' }
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
      /** Whether it is an entry of the log, as JSON. Nothing else that a bot prints is taken for one. */
      readonly log?: true | undefined;
    };
