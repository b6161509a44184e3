import type { z } from 'zod';
import type { TaskContext } from './task-context.js';
import type { Storable } from '../storage/json-text.js';
import type { Duration } from '../text/duration.js';

/** The settings of a task. */
export interface TaskSettings {
  /**
   * Runs it again and again: `'1h'`. The first run is that long after the bot first had the task, each next one that
   * long after the one before was due. At least `'1s'`.
   *
   * @defaultValue it runs when it is called, such as by `ctx.tasks.remind.in('2h')`
   */
  readonly every?: Duration | undefined;
  /**
   * Runs it at the times of a cron expression: minute, hour, day of the month, month, day of the week, with seconds in
   * front of them if it has six fields: `'0 9 * * 1-5'`.
   *
   * @defaultValue it runs when it is called
   */
  readonly cron?: string | undefined;
  /** The time zone of `cron`, such as `'Europe/Berlin'`. @defaultValue `'UTC'` */
  readonly timeZone?: string | undefined;
  /** How long a run may take. Then `signal` is aborted, and the run has failed. @defaultValue `'15m'` */
  readonly timeout?: Duration | undefined;
  /** How often a run that failed is repeated, from 0. @defaultValue 3 */
  readonly retries?: number | undefined;
  /** The pause before the first repetition; it doubles with each one, up to an hour. @defaultValue `'10s'` */
  readonly backoff?: Duration | undefined;
  /** How many runs a process has in progress at a time. @defaultValue 10 */
  readonly concurrency?: number | undefined;
  /**
   * How late a run may begin, such as after the bot was off; a later one is skipped. A task with a schedule runs once
   * however many of its times were missed.
   *
   * @defaultValue however late it is
   */
  readonly maxLate?: Duration | undefined;
}

/** Work that is done later, or again and again: one object with a handler. */
export interface TaskDefinition<
  Payload extends z.core.$ZodType = z.core.$ZodType,
> extends TaskSettings {
  /** The schema of what a run is called with: JSON. Not for a task with a schedule. @defaultValue nothing */
  readonly payload?: Payload | undefined;
  readonly run: (context: TaskContext<z.output<Payload>>) => unknown;
}

/**
 * Defines the task of a file below `tasks/`. Export it as the default export.
 *
 * @example
 * ```ts
 * // tasks/remind.ts: await tasks.remind.in('2h', { channelId, text })
 * const remind = defineTask({
 *   payload: z.object({ channelId: z.string(), text: z.string() }),
 *   run: ({ payload, channel }) => channel(payload.channelId).send(payload.text),
 * });
 * export default remind;
 *
 * declare module 'virgule' {
 *   interface Tasks {
 *     remind: typeof remind;
 *   }
 * }
 * ```
 */
export function defineTask<const Payload extends z.core.$ZodType = z.ZodUndefined>(
  definition: TaskDefinition<Payload>,
): TaskDefinition<Payload> {
  return definition;
}

/** The tasks of a bot, for the type of `ctx.tasks`. Filled by declaration merging, in the file of each task. */
export interface Tasks {}

/** The type of `ctx.tasks`: a handle for each member of `Tasks`, or for any name while it has none. */
export type TaskHandles = keyof Tasks extends never
  ? // Any payload: its type is not known.
    // oxlint-disable-next-line typescript/no-explicit-any
    Readonly<Record<string, TaskHandle<any>>>
  : { readonly [Name in keyof Tasks]: TaskHandle<PayloadOf<Tasks[Name]>> };

type PayloadOf<Definition> =
  Definition extends TaskDefinition<infer Payload> ? z.input<Payload> : Storable;

/** The payload as the last argument; left out for tasks without one. */
type PayloadArguments<Payload> = undefined extends Payload
  ? readonly [payload?: Payload]
  : readonly [payload: Payload];

/** Calls a task. Every member can be destructured. */
export interface TaskHandle<Payload = unknown> {
  /**
   * Has the task run after a time, once.
   *
   * @throws VirguleError `E_TASK_CALL` if there is no such task, the payload does not match its schema, or the time is
   *   invalid, and as `storage.set` does.
   */
  readonly in: (delay: Duration, ...payload: PayloadArguments<Payload>) => Promise<PendingTask>;
  /** Has the task run at a time, or now if that is past. Throws as `in` does. */
  readonly at: (time: Date, ...payload: PayloadArguments<Payload>) => Promise<PendingTask>;
  /** Cancels a run by its id. Returns whether it was pending: `false` if it is in progress, or is over. */
  readonly cancel: (id: string) => Promise<boolean>;
  /** Returns pending runs by their time, the next first: those in progress included. */
  readonly list: (options?: ListTasksOptions) => Promise<readonly PendingTask<Payload>[]>;
}

/** Options of `tasks.….list`. */
export interface ListTasksOptions {
  /** Runs after this one, by its id. @defaultValue from the first */
  readonly after?: string | undefined;
  /** The maximum number of runs: 1 to 1,000. @defaultValue 100 */
  readonly limit?: number | undefined;
}

/** A run of a task that was called. */
export interface PendingTask<Payload = unknown> {
  readonly id: string;
  readonly at: Date;
  readonly payload: Payload;
}
