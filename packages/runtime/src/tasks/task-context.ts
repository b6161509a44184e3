import type { SentMessage } from '../command/answer/answer.js';
import type { ChannelHandle, HandlerContext } from '../command/context/shared-context.js';

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
