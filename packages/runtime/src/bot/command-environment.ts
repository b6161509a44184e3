import type { Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { Profile } from '@virgule/core/protocol';
import type { Provided } from '../context/provided.js';
import type { Deadlines } from '../interaction/deadlines.js';

/** What every run of a command needs from its bot. */
export interface CommandEnvironment {
  readonly rest: Rest;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** What the bot gives to every handler. */
  readonly provided: Provided;
  readonly profile: Profile;
  readonly deadlines: Deadlines;
  /** Whether users are shown the cause of an error, and developers are warned of silences. */
  readonly development: boolean;
  /** Shown when a deferred command turns out to have no answer: nothing else ends the thinking state. */
  readonly silentText: string;
  /** Aborted at shutdown. */
  readonly signal: AbortSignal;
  /** Tells the `error` events. */
  readonly onError: (error: unknown, during: string) => void;
}
