import type { z } from 'zod';
import type { TaskContext } from './task-context.js';

/** A task, ready to run. */
export interface Task {
  readonly name: string;
  /** Path of the task's file, relative to the root of the project. */
  readonly file: string;
  /** Schedule of the task; `null` if the task runs only when it is called. */
  readonly schedule: Schedule | null;
  readonly payload: z.core.$ZodType | undefined;
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
  readonly run: (context: TaskContext) => unknown;
}

/** The schedule of a task. */
export interface Schedule {
  /** Text that identifies the schedule: equal schedules have equal texts. */
  readonly spec: string;
  /**
   * Returns the first due time after now and after `afterMs`, in milliseconds since the epoch; `undefined` if there is none.
   * `afterMs` is the due time of the previous run, or now: the clock may have been set back since.
   */
  next(afterMs: number, nowMs: number): number | undefined;
}

/** Returns a schedule that repeats after a duration. Missed times are skipped. */
export function everyMs(ms: number): Schedule {
  return {
    spec: `every ${ms} ms`,
    next: (afterMs, nowMs) => afterMs + ms * (Math.max(0, Math.floor((nowMs - afterMs) / ms)) + 1),
  };
}

/**
 * Returns the schedule of a cron expression. The cron library is imported only when this function is called.
 *
 * @param timeZone - a valid IANA time zone.
 * @throws TypeError or RangeError for an invalid expression.
 */
export async function cronSchedule(expression: string, timeZone: string): Promise<Schedule> {
  const { Cron } = await import('croner');
  const cron = new Cron(expression, { timezone: timeZone, paused: true });
  return {
    spec: `cron ${expression} ${timeZone}`,
    next: (afterMs, nowMs) => cron.nextRun(new Date(Math.max(afterMs, nowMs)))?.getTime(),
  };
}
