import * as z from 'zod';
import { jsonOf, readId } from './task-keys.js';

/** Kinds of answers in the storage. */
const waitsSchema = z.enum(['confirm', 'message', 'votes']);

export const askSchema = z.object({
  channelId: z.string(),
  messageId: z.string(),
  task: z.string(),
  /**
   * Answer that the task waits for, once its buttons are shown: for a process that does not have the task, and for one whose
   * task waits for another answer.
   */
  waits: waitsSchema.optional(),
  payload: z.unknown().optional(),
  by: z.union([z.literal('anyone'), z.array(z.string()).readonly()]),
  /** Deadline, in milliseconds since the epoch: the due time of the run that begins without an answer. */
  due: z.number(),
  /** Time of the question, in milliseconds since the epoch. */
  at: z.number(),
  /** Emojis that users can vote for, each with the ids of the users who did. */
  votes: z.record(z.string(), z.array(z.string()).readonly()).default({}),
  /** Id of the run that has decided the question. */
  run: z.string().optional(),
});

const runSchema = z.object({
  payload: z.unknown().optional(),
  attempt: z.int().min(1).default(1),
  /** Earliest start of a repetition, in milliseconds since the epoch. */
  notBefore: z.number().default(0),
  /** Number of starts of this attempt: more than 1 if its process ended. */
  begun: z.int().min(0).default(0),
  /** Length of the pause before the repetition, in milliseconds. */
  pauseMs: z.number().default(0),
  /** Start of the wait for an unreachable platform or a rate limit, in milliseconds since the epoch. */
  waitingSince: z.number().optional(),
  /** Number of failed reads of this answer while the platform was reachable. */
  unread: z.int().min(0).default(0),
  /** Answer to the question to which the run belongs. */
  answer: z.unknown().optional(),
  /** Kind of this answer. */
  waits: waitsSchema.optional(),
  /** Texts that the run has to send before it is done: its handler is done. */
  reply: z.array(z.string()).optional(),
  /** `true` once a text was sent: the others do not refer to the question. Absent in entries of earlier versions. */
  hasReplied: z.boolean().optional(),
  /** `true` if the question to which the run belongs was canceled. */
  isCanceled: z.boolean().optional(),
  /**
   * Question of a run that begins. Stored for a run that has failed or is retried: the question is no longer stored itself, and
   * its message may have another one.
   */
  question: askSchema.optional(),
});

/** A question that is stored. */
export type Ask = Readonly<z.output<typeof askSchema>>;

export const failedSchema = runSchema.pick({ payload: true, answer: true, question: true }).extend({
  /** Payload and answer without the secrets of the environment, if they contain secrets. A retry needs the secrets. */
  shown: z.object({ payload: z.unknown(), answer: z.unknown() }).partial().optional(),
  reason: z.string(),
  /** Time of the failure, in ISO 8601. */
  at: z.string().optional(),
  /** Due time of the run, in milliseconds since the epoch; absent in entries of earlier versions. */
  dueMs: z.number().optional(),
});

/** The entry of a run that failed for good. */
export type FailedRun = z.output<typeof failedSchema>;

/** A run that is pending or in progress. */
export interface StoredRun
  extends Readonly<z.output<typeof runSchema>>, Readonly<ReturnType<typeof readId>> {
  /** Id of the run: `<task>:<due>:<call>`, or `<task>:<due>:@<key>` for the run of a repeat. */
  readonly id: string;
  readonly key: string;
  /** Entry as it was read. */
  readonly text: string;
}

/** Changed fields of the entry of a run. */
export type RunChanges = Partial<z.output<typeof runSchema>>;

/** Reads the entry of a run. An entry in another form becomes the payload, which the schema of the task refuses. */
export function readRun(key: string, text: string): StoredRun {
  const value = jsonOf(text);
  const data = runSchema.safeParse(value).data ?? runSchema.parse({ payload: value });
  const id = key.slice('tasks:run:'.length);
  return { ...data, ...readId(id), id, key, text };
}
