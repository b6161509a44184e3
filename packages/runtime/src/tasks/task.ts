import type { z } from 'zod';
import type { TaskContext } from './task-context.js';
import type { Schedule } from './schedule.js';

/** A task, ready to run. */
export interface Task {
  readonly name: string;
  /** Path of its file from the project's root. */
  readonly file: string;
  /** `null`: it runs when it is called. */
  readonly schedule: Schedule | null;
  readonly payload: z.core.$ZodType | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly backoffMs: number;
  /** The maximum number of runs in progress in this process. */
  readonly concurrency: number;
  /** A run that is later than this is skipped. */
  readonly maxLateMs: number;
  /** The settings as its author wrote them, without those that were omitted. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly run: (context: TaskContext) => unknown;
}
