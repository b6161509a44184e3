import { EVENTS, type Intent } from '@virgule/core/protocol';
import type { SimTaskRun } from '@virgule/core/simulator-api';
import * as z from 'zod';
import type { Caller } from '../command/answer/received-command.js';
import type { AwaitedEvent } from '../command/waits/waits.js';
import { formatDuration } from '../text/duration.js';
import type { AskedTaskContext, PendingTask, TaskAnswers, TaskRepeat } from './define-task.js';

/** Answer that a task waits for. */
export type Awaited = keyof TaskAnswers;

/** Events that answer. */
export const ANSWER_EVENTS = {
  confirm: ['MESSAGE_REACTION_ADD'],
  message: ['MESSAGE_CREATE'],
  votes: ['MESSAGE_REACTION_ADD', 'MESSAGE_REACTION_REMOVE'],
} as const satisfies Readonly<Record<Awaited, readonly AwaitedEvent[]>>;

/** Returns the intent of the events that answer. */
export const intentOfAnswers = (waits: Awaited): Intent => EVENTS[ANSWER_EVENTS[waits][0]].intent;

/** Maximum time to answer a question, in milliseconds. */
export const MAX_WITHIN_MS = 365 * 86_400_000;

/** A task, ready to run. */
export interface Task {
  readonly name: string;
  /** Path of the task's file, relative to the root of the project. */
  readonly file: string;
  /** Timing in the file of the task; `null` if the task runs only when it is called. */
  readonly schedule: Timing | null;
  readonly payload: z.core.$ZodType | undefined;
  /** Kind of answer that the task waits for; `undefined` for a task that is called. */
  readonly waits?: Awaited | undefined;
  /** Converts a payload that the schema no longer accepts. */
  readonly upgrade?: ((old: unknown) => unknown) | undefined;
  /** `'model'` if the commands that the task calls run for a language model. */
  readonly caller?: Caller | undefined;
  /** Returns whether a run with this answer never begins again once it has begun. @defaultValue no run */
  readonly isOnce?: ((answer: unknown) => boolean) | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly backoffMs: number;
  /** Maximum number of runs in progress in this process. */
  readonly concurrency: number;
  /** Returns the key of the runs that begin one after the other. */
  readonly order?: ((payload: unknown) => unknown) | undefined;
  /** Maximum delay of a run, in milliseconds. A run that is later is skipped. */
  readonly maxLateMs: number;
  /** Settings as the author wrote them, without omitted ones. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The members of a question are there if the task waits for one. */
  readonly run: (context: AskedTaskContext) => unknown;
}

/** Returns the names of the tasks that have a file. The name of another task, such as the one of approvals, begins with a colon. */
export const namesOfFiles = (tasks: ReadonlyMap<string, Task>): string[] =>
  [...tasks.keys()].filter((name) => !name.startsWith(':'));

/** Run in the list of all runs of a task. */
export type ListedRun = Omit<SimTaskRun, 'timing'> & Pick<PendingTask, 'repeats'>;

/** Times of a run that repeats: an interval in milliseconds, or a cron expression in an IANA time zone. */
export type Timing = z.output<typeof timingSchema>;

export const timingSchema = z.union([
  z.object({ every: z.number() }).readonly(),
  z.object({ cron: z.string(), timeZone: z.string() }).readonly(),
]);

/**
 * Returns the first due time after now and after `afterMs`, in milliseconds since the epoch; `undefined` if there is none.
 * Missed times are skipped. The cron library is imported only when it is needed.
 *
 * @param afterMs - due time of the previous run, or now: the clock may have been set back since.
 * @throws TypeError or RangeError for an invalid expression or time zone.
 */
export async function nextTime(timing: Timing, nowMs: number, afterMs = nowMs) {
  if ('every' in timing) {
    const { every } = timing;
    return afterMs + every * (Math.max(0, Math.floor((nowMs - afterMs) / every)) + 1);
  }
  const { Cron } = await import('croner');
  const cron = new Cron(timing.cron, { timezone: timing.timeZone, paused: true });
  return cron.nextRun(new Date(Math.max(afterMs, nowMs)))?.getTime();
}

/** Returns a timing for people to read: `every 1h30m`, `cron 0 9 * * 1-5 Europe/Berlin`. */
export const timingText = ({ every, cron, timeZone }: TaskRepeat): string =>
  every === undefined ? `cron ${cron} ${timeZone}` : `every ${formatDuration(every)}`;
