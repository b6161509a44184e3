import type { CommandContext } from '../context/command-context.js';
import type { Duration } from '../define/duration.js';

/**
 * Gives what a limit is counted by. `undefined` says that it is not known; the limit then holds for
 * the whole channel, and the log is told so once.
 */
export type LimitKey = (context: CommandContext) => string | null | undefined;

/**
 * What a limit is counted by. There is no `'user'`: the platform does not say who ran a command. Where
 * a platform tells it all the same, a function can read it: `({ raw }) => String(raw['userId'])`.
 */
export type LimitScope = 'channel' | 'server' | 'global' | LimitKey;

export interface CooldownSetting {
  /** How long after one run the next one is refused. */
  readonly every: Duration;
  /** @defaultValue `'channel'` */
  readonly per?: LimitScope | undefined;
}

export interface ConcurrencySetting {
  /** How many runs may be under way at a time: a whole number from 1 on. */
  readonly max: number;
  /** @defaultValue `'global'` */
  readonly per?: LimitScope | undefined;
  /**
   * What becomes of a run too many: `'queue'` waits for its turn, deferred as any slow command;
   * `'drop'` ends it without a word; `'reject'` answers that the command is busy.
   */
  readonly when: 'queue' | 'drop' | 'reject';
}

/** A cooldown as commands are run with it. */
export interface Cooldown {
  readonly everyMs: number;
  readonly per: LimitScope;
}

/** A limit of runs as commands are run with it. */
export interface Concurrency {
  readonly max: number;
  readonly per: LimitScope;
  readonly when: ConcurrencySetting['when'];
}
