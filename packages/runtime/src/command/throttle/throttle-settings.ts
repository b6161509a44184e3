import type { CommandContext } from '../context/command-context.js';
import type { Duration } from '../../text/duration.js';

/**
 * Returns the key that runs are counted by. `undefined` means that it is unknown: the whole channel is
 * counted together then, and the log says so once. Runs after the middleware, so `locals` are filled.
 */
export type ThrottleKey = (context: CommandContext) => string | null | undefined;

/**
 * What runs are counted by. There is no `'user'`: the platform does not report who ran a command. If
 * yours does, a function can read it: `({ raw }) => raw['userId'] as string | undefined`.
 */
export type ThrottleScope = 'channel' | 'server' | 'global' | ThrottleKey;

/** The setting `cooldown` of a command: how often it runs. */
export interface CooldownSetting {
  /** Length of the window, which begins with its first run. */
  readonly every: Duration;
  /** How many runs a window allows: a whole number from 1. @defaultValue 1 */
  readonly limit?: number | undefined;
  /** @defaultValue `'channel'` */
  readonly per?: ThrottleScope | undefined;
}

/** The setting `concurrency` of a command: how many runs of it there may be at once. */
export interface ConcurrencySetting {
  /** How many runs can be in progress at a time: a whole number from 1. */
  readonly max: number;
  /** @defaultValue `'global'` */
  readonly per?: ThrottleScope | undefined;
  /**
   * What happens to a run that exceeds it: `'queue'` waits for its turn, deferred like any slow
   * command; `'drop'` ends it silently; `'reject'` answers that the command is busy.
   */
  readonly when: 'queue' | 'drop' | 'reject';
}

/** What slows down one command, or all commands of one folder. */
export interface Throttle {
  /** What its keys begin with: `/ban`, or the file of the folder's middleware. */
  readonly name: string;
  readonly cooldown?:
    | { readonly everyMs: number; readonly limit: number; readonly per: ThrottleScope }
    | undefined;
  readonly concurrency?: Required<ConcurrencySetting> | undefined;
}
