import type { SimProblem } from '@virgule/core/simulator-api';

/** Everything a dev server tells, as data: `--json` prints it as it is. */
export type DevReport =
  | {
      readonly type: 'ready';
      readonly page: string;
      readonly baseUrl: string;
      readonly gatewayUrl: string;
      readonly token: string;
      readonly userToken: string;
      readonly bot: string;
      readonly commands: number;
      readonly events: number;
      readonly ms: number;
    }
  /** Changed code answers from now on. */
  | {
      readonly type: 'reload';
      readonly files: readonly string[];
      readonly evaluated: number;
      readonly synced: boolean;
      readonly ms: number;
    }
  /** A new process runs the bot; the connection was kept. */
  | { readonly type: 'restart'; readonly reason: string; readonly ms: number }
  /** The code is not sound. `answering` tells whether what ran before goes on, or nothing runs now. */
  | {
      readonly type: 'problems';
      readonly problems: readonly SimProblem[];
      readonly answering: boolean;
    }
  /** The bot's process ended by itself. */
  | { readonly type: 'lost'; readonly how: string }
  | { readonly type: 'dropped'; readonly events: number }
  /** A line that the bot wrote. */
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly line: string };
