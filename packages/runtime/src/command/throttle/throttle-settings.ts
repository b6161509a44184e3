import type { CommandContext } from '../context/command-context.js';
import type { Duration } from '../../text/duration.js';

/**
 * Returns the key that runs are counted by. If the key is unknown, return `undefined`: all runs in the channel are then counted
 * together, and a warning is logged once. Called after the middleware, so `locals` are filled.
 */
export type ThrottleKey = (context: CommandContext) => string | null | undefined;

/**
 * Scope in which runs are counted. There is no `'user'`: the platform does not report who ran a slash command. A cooldown
 * counts the runs of each known author with `by: 'author'`; a function can use the author too: `({ author }) => author?.id`.
 */
export type ThrottleScope = 'channel' | 'server' | 'global' | ThrottleKey;

/** The setting `cooldown` of a command: maximum number of runs per window. */
export interface CooldownSetting {
  /** Length of the window. A window begins with its first run. */
  readonly every: Duration;
  /** Maximum number of runs in a window: a whole number from 1. @defaultValue 1 */
  readonly limit?: number | undefined;
  /** @defaultValue `'channel'`; `'global'` with `by` */
  readonly per?: ThrottleScope | undefined;
  /**
   * `'author'` to count the runs of each author on their own. A run without a known author is refused.
   *
   * @defaultValue all users together
   */
  readonly by?: 'author' | undefined;
}

/** The setting `concurrency` of a command: maximum number of simultaneous runs. */
export interface ConcurrencySetting {
  /** Maximum number of runs in progress at a time: a whole number from 1. */
  readonly max: number;
  /** @defaultValue `'global'` */
  readonly per?: ThrottleScope | undefined;
  /**
   * Treatment of a run that exceeds `max`: `'queue'` makes the run wait for its turn, deferred like any slow command; `'drop'`
   * ends the run silently; `'reject'` answers that the command is busy.
   */
  readonly when: 'queue' | 'drop' | 'reject';
}

/** Limits of one command, or of all commands of one folder together. */
export interface Throttle {
  /** Prefix of the keys: `/ban`, or the file of the folder's middleware. */
  readonly name: string;
  readonly cooldown?:
    | (Pick<CooldownSetting, 'by'> & { everyMs: number; limit: number; per: ThrottleScope })
    | undefined;
  readonly concurrency?: Required<ConcurrencySetting> | undefined;
}
