import type { HandlerContext } from '../command/context/shared-context.js';

/** What the handler of a task receives. Every member can be destructured. */
export interface TaskContext<Payload = unknown> extends HandlerContext {
  /** The name of the task. */
  readonly task: string;
  /**
   * The same for every attempt of one run: with it, what the task does can be done once though the run is repeated, such
   * as after the end of the process.
   */
  readonly runId: string;
  /** What the run was called with, parsed by the schema of the task. */
  readonly payload: Payload;
  /** When the run was due. */
  readonly dueAt: Date;
  /** How long after that this attempt began, in milliseconds. */
  readonly lateMs: number;
  /** 1, then one more for each repetition after a failure. */
  readonly attempt: number;
  /** Aborted when the run takes longer than the `timeout` of the task, and when the bot shuts down. */
  readonly signal: AbortSignal;
}
