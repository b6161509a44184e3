import type { z } from 'zod';
import type { DefaultOf, Register } from '../command/register.js';
import type { MessageEvent } from '@virgule/core/protocol';
import type { SentMessage } from '../command/answer/answer.js';
import type { Who } from '../command/waits/listener.js';
import type { ChannelHandle, HandlerContext } from '../command/context/shared-context.js';
import type { Duration } from '../text/duration.js';

/** Answers that tasks can wait for, by the setting `waits`. */
export interface TaskAnswers {
  /** ✅ or ❌ under the question. `yes` is `false` without a `userId` if no one has answered in time. */
  readonly confirm: { readonly yes: boolean; readonly userId?: string | undefined };
  /** The next message of the channel; `null` if there was none in time. */
  readonly message: MessageEvent | null;
  /** Ids of the users who voted for each emoji, at the deadline. */
  readonly votes: Readonly<Record<string, readonly string[]>>;
}

/** Work that runs later or repeatedly: one object with a handler. */
export interface TaskDefinition<Payload extends z.core.$ZodType = z.core.$ZodType> {
  /**
   * Interval at which the task runs: `'1h'`. The first run is due one interval after the bot first had the task; each
   * further run is due one interval after the due time of the previous run. At least `'1s'`.
   *
   * @defaultValue the task runs when it is called, such as by `ctx.tasks.remind.in('2h')`
   */
  readonly every?: Duration | undefined;
  /**
   * Cron expression of the times at which the task runs: minute, hour, day of the month, month, day of the week; six
   * fields begin with seconds: `'0 9 * * 1-5'`.
   *
   * @defaultValue the task runs when it is called
   */
  readonly cron?: string | undefined;
  /** The time zone of `cron`, such as `'Europe/Berlin'`. @defaultValue `'UTC'` */
  readonly timeZone?: string | undefined;
  /** Maximum duration of a run. When it has passed, `signal` is aborted and the run has failed. @defaultValue `'15m'` */
  readonly timeout?: Duration | undefined;
  /** Maximum number of retries of a failed run, from 0. @defaultValue 3 */
  readonly retries?: number | undefined;
  /** Pause before the first retry. The pause doubles with each retry, up to an hour. @defaultValue `'10s'` */
  readonly backoff?: Duration | undefined;
  /** Maximum number of runs in progress in one process. @defaultValue 10 */
  readonly concurrency?: number | undefined;
  /**
   * Maximum delay of a run, such as after the bot was off; a run that is later is skipped. A task with a schedule runs
   * once, regardless of the number of missed times.
   *
   * @defaultValue no run is skipped
   */
  readonly maxLate?: Duration | undefined;
  /** Schema of the payload, which is JSON. Not for a task with a schedule. @defaultValue no payload */
  readonly payload?: Payload | undefined;
  /**
   * Returns a key from the payload of a call, such as a channel: of runs with the same key, one is in progress at a
   * time, in all processes, and each begins after the previous run and its retries. Only the first 1,000 due runs are
   * considered. @defaultValue runs begin in the order of their due times, and then of their calls
   */
  readonly order?: ((payload: z.input<Payload>) => string) | undefined;
  /**
   * Converts a payload that was stored by an earlier version of the schema. @defaultValue such a run has failed, and is kept
   * until it is retried
   */
  readonly upgrade?: ((old: unknown) => z.input<Payload>) | undefined;
  readonly run: (context: TaskContext<z.output<Payload>>) => unknown;
}

/** Work that waits for the answer of a user: one object with a handler. */
export interface AskedTaskDefinition<
  Payload extends z.core.$ZodType = z.core.$ZodType,
  Waits extends keyof TaskAnswers = keyof TaskAnswers,
> extends Omit<TaskDefinition<Payload>, 'run' | 'every' | 'cron' | 'timeZone' | 'maxLate'> {
  /**
   * Answer that the task waits for. The task runs when a user answers a question, or at the deadline of the question:
   * `tasks.deploy.ask(question, payload, { within: '3d' })`. Restarts and deploys do not lose the question.
   */
  readonly waits: Waits;
  /** Handler of a run. A message that it returns replies to the question. */
  readonly run: (context: AskedTaskContext<z.output<Payload>, TaskAnswers[Waits]>) => unknown;
}

/** The argument of the handler of a task. Every member can be destructured. */
export interface TaskContext<Payload = unknown> extends HandlerContext {
  /** The name of the task. */
  readonly task: string;
  /**
   * Id of the run, equal in every attempt. Use the id to do something only once although the run is repeated, such as
   * after the end of the process.
   */
  readonly runId: string;
  /** The payload of the call, parsed by the schema of the task. */
  readonly payload: Payload;
  /** Time at which the run was due. */
  readonly dueAt: Date;
  /** Time from `dueAt` to the start of this attempt, in milliseconds. */
  readonly lateMs: number;
  /** Number of this attempt: 1, then one more for each repetition after a failure. */
  readonly attempt: number;
  /** Signal that is aborted when the run exceeds the `timeout` of the task, and when the bot shuts down. */
  readonly signal: AbortSignal;
}

/** The argument of the handler of a task that waits for an answer. */
export interface AskedTaskContext<
  Payload = unknown,
  Answer = unknown,
> extends TaskContext<Payload> {
  /** The answer; at the deadline, the answer if no one has answered. */
  readonly answer: Answer;
  /** The question, without its text. */
  readonly question: Pick<SentMessage, 'id' | 'edit' | 'react' | 'unreact' | 'delete'>;
  /** The channel of the question. */
  readonly here: ChannelHandle;
}

/**
 * Defines the task of a file below `tasks/`. Export it as the default export.
 *
 * @example
 * ```ts
 * // tasks/remind.ts: await tasks.remind.in('2h', { channelId, text })
 * export default defineTask({
 *   payload: z.object({ channelId: z.string(), text: z.string() }),
 *   run: ({ payload, channel }) => channel(payload.channelId).send(payload.text),
 * });
 * ```
 */
export function defineTask<
  const Waits extends keyof TaskAnswers,
  const Payload extends z.core.$ZodType = z.ZodUndefined,
>(definition: AskedTaskDefinition<Payload, Waits>): AskedTaskDefinition<Payload, Waits>;
export function defineTask<const Payload extends z.core.$ZodType = z.ZodUndefined>(
  definition: TaskDefinition<Payload>,
): TaskDefinition<Payload>;
export function defineTask(definition: object): object {
  return definition;
}

/** Tasks whose types replace the types of their files, for `ctx.tasks`. Filled by declaration merging. */
export interface Tasks {}

/** The definitions of all tasks: of `Tasks`, and of the files that `Register` declares. */
type Definitions = Tasks & Omit<FileTasks, keyof Tasks>;

type FileTasks = Register extends { readonly files: { readonly tasks: infer Files } }
  ? { readonly [Name in keyof Files]: DefaultOf<Files[Name]> }
  : Record<never, never>;

/** The type of `ctx.tasks`: a handle for each task, or for any name while no task is declared. */
export type TaskHandles = keyof Definitions extends never
  ? // The type of the payload is unknown.
    // oxlint-disable-next-line typescript/no-explicit-any
    Readonly<Record<string, TaskHandle<any> & AskHandle<any>>>
  : { readonly [Name in keyof Definitions]: HandleOf<Definitions[Name]> };

// Only members are read: a comparison with `TaskDefinition` depends on handlers, which may call each other's tasks.
type HandleOf<Definition> = Definition extends { readonly payload?: infer Payload }
  ? Definition extends { readonly waits: keyof TaskAnswers }
    ? AskHandle<InputOf<Payload>>
    : TaskHandle<InputOf<Payload>>
  : TaskHandle;

type InputOf<Payload> = Payload extends z.core.$ZodType ? z.input<Payload> : unknown;

/** The payload as the last argument; omitted for tasks without a payload. */
type PayloadArguments<Payload> = undefined extends Payload
  ? readonly [payload?: Payload]
  : readonly [payload: Payload];

/** Calls a task. Every member can be destructured. */
export interface TaskHandle<Payload = unknown> {
  /**
   * Schedules one run of the task after a delay.
   *
   * @throws VirguleError `E_TASK_CALL` if there is no such task, the payload does not match its schema, or the time is
   *   invalid; the errors of `storage.set`.
   */
  readonly in: (delay: Duration, ...payload: PayloadArguments<Payload>) => Promise<PendingTask>;
  /** Schedules one run of the task at a time, or now if the time is past. Throws as `in` does. */
  readonly at: (time: Date, ...payload: PayloadArguments<Payload>) => Promise<PendingTask>;
  /**
   * Repeats the task at an interval of at least `'1s'`, first after one interval. A repeat has no overlapping runs: the
   * next run is due after the previous run is over, and missed times are skipped.
   * `every('1h', payload, { key: channelId })` replaces the repeat of the channel.
   *
   * @throws VirguleError as `in` does.
   */
  readonly every: (
    interval: Duration,
    ...options: [...PayloadArguments<Payload>, options?: RepeatOptions]
  ) => Promise<PendingTask<Payload>>;
  /** Repeats the task at the times of a cron expression, in UTC by default, otherwise like `every`. */
  readonly cron: (
    expression: string,
    ...options: [
      ...PayloadArguments<Payload>,
      options?: RepeatOptions & Pick<TaskDefinition, 'timeZone'>,
    ]
  ) => Promise<PendingTask<Payload>>;
  /**
   * Cancels a pending run by its id, or a repeat by its key or the id of its run. Resolves to `false` if the called run
   * is in progress or over, or there is no such repeat. A run of a repeat that is in progress finishes, and no other
   * follows.
   */
  readonly cancel: (idOrKey: string) => Promise<boolean>;
  /**
   * Returns runs that are pending or in progress, in the order of their due times; of a repeat, its next run.
   * `virgule task list` and the page also have the newest 100 finished runs of a task.
   */
  readonly list: (options?: ListTasksOptions) => Promise<readonly PendingTask<Payload>[]>;
}

/** Asks the question of a task. Every member can be destructured. */
export interface AskHandle<Payload = unknown> extends Pick<TaskHandle<Payload>, 'cancel' | 'list'> {
  /**
   * Stores a question that the bot has sent, and adds its reactions. Resolves when both are done; the task runs when a
   * user answers, or at the deadline. `cancel` with the `id` withdraws the question, and marks it with 🚫.
   *
   * @param question - result of `reply` or `send`.
   * @throws VirguleError as `in` does; the error of the platform if a reaction cannot be added.
   */
  readonly ask: (
    question: SentMessage,
    ...options: [...PayloadArguments<Payload>, options: AskOptions]
  ) => Promise<PendingTask<Payload>>;
}

/** Options of `tasks.….ask`. */
export interface AskOptions {
  /** Ids of the users whose answers count. An explicit `undefined` means no user. @defaultValue `'anyone'` except this bot */
  readonly by?: Exclude<Who, 'author'> | undefined;
  /** Time to answer: `'1s'` to `'365d'`. */
  readonly within: Duration;
  /** Emojis to vote for, 2 to 20 different ones; only for `waits: 'votes'`. */
  readonly choices?: readonly string[] | undefined;
}

/** Options of `tasks.….every` and `cron`. */
export interface RepeatOptions {
  /** Key of the repeat, 1 to 200 characters: a repeat with the same key is replaced. @defaultValue a new key */
  readonly key?: string | undefined;
}

/** Options of `tasks.….every` or `cron`, with the times. */
export type RepeatSettings = RepeatOptions & Pick<TaskDefinition, 'every' | 'cron' | 'timeZone'>;

/** Options of `tasks.….list`. */
export interface ListTasksOptions {
  /** Id of a run: only later runs are returned. @defaultValue from the first run on */
  readonly after?: string | undefined;
  /** Maximum number of runs: 1 to 1,000. @defaultValue 100 */
  readonly limit?: number | undefined;
}

/** A run of a task that is pending or in progress. */
export interface PendingTask<Payload = unknown> {
  readonly id: string;
  readonly at: Date;
  readonly payload: Payload;
  /** The repeat of the run; absent for a run that does not repeat. */
  readonly repeats?: TaskRepeat | undefined;
}

/** The timing of a repeat: an interval, or a cron expression with its time zone. */
export interface TaskRepeat {
  /** Key of the repeat, for `cancel`. Absent for the schedule in the file of the task. */
  readonly key?: string | undefined;
  /** Interval in milliseconds. */
  readonly every?: number | undefined;
  readonly cron?: string | undefined;
  readonly timeZone?: string | undefined;
}
