import type { z } from 'zod';
import type { TaskContext } from './task-context.js';
import type { Schedule } from './schedule.js';

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
  /** Maximum delay of a run, in milliseconds. A run that is later is skipped. */
  readonly maxLateMs: number;
  /** Settings as the author wrote them, without omitted ones. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly run: (context: TaskContext) => unknown;
}
