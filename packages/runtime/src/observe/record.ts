import { parseJson } from '@virgule/core/objects';
import { ENDPOINTS, EVENTS } from '@virgule/core/protocol';
import * as z from 'zod';
import { createShaper, wordsIn } from './shape.js';

/** Event of a record, with its time in milliseconds since 1970; `task` for the run of a task, with its payload. */
const frameSchema = z.object({
  t: z.string(),
  d: z.unknown(),
  atMs: z.number().min(0).max(8.64e15),
});

/** A value of the record; `dropped` if the value is too large for the record. */
const valueSchema = z.object({ value: z.unknown().optional(), dropped: z.boolean().optional() });

/** Result of a call of the REST client: the value of a read, or an error. */
const callSchema = valueSchema.extend({
  /** Name of the function, such as `messages.list`. */
  name: z.string(),
  /** Number of earlier calls of the function. */
  index: z.int().default(0),
  error: z
    .object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) })
    .optional(),
});

/** Failed work: all that its test needs. */
const recordSchema = z
  .object({
    v: z.literal(1, 'this version of Virgule reads only records of version 1'),
    /** Name of the files of the test. */
    id: z.string().regex(/^\w{1,100}$/),
    kind: z.enum(['command', 'event', 'task']),
    name: z.string(),
    /** Time of the failure, in ISO 8601. */
    at: z.string(),
    reason: z.string(),
    text: z.enum(['shape', 'keep']).default('keep'),
    /** User id of the bot. */
    me: z.string().default(''),
    /** Variables that contain ids of the events. */
    env: z.record(z.string(), z.unknown()).default({}),
    /** Events of the channel while the run was open, in order. */
    frames: z.array(frameSchema),
    /** Index of the event of the run. */
    frame: z.int().default(0),
    /** Entries that the run read from the storage, as they were first read. */
    storage: z.array(valueSchema.extend({ key: z.string() })).default([]),
    rest: z.array(callSchema).default([]),
    /** Random numbers that the run used. */
    random: z.array(z.number()).default([]),
  })
  .refine(({ frames, frame }) => frames[frame] !== undefined, 'it has no event that can be read');

export type Frame = Readonly<z.output<typeof frameSchema>>;
export type RecordedCall = Readonly<z.output<typeof callSchema>>;
export type FailedRecord = Readonly<z.output<typeof recordSchema>>;

/** Returns the record in JSON, or the reason why there is none. */
export const readRecord = (read: () => string) => parseJson(read, recordSchema);

/** Words of values, of errors, and of keys of the framework in the storage. */
const WORDS =
  'http https true false null user status server command tasks cooldowns virgule failed';

/** Words of all records, of errors and of the protocol. */
let words: readonly string[] | undefined;

/** Returns a record without secrets. Without `text: 'keep'`, text has only its shape, except words of the handlers and of the protocol. */
export function privateRecord<Parts extends Partial<FailedRecord>>(
  parts: Parts,
  handlers: unknown,
  redact: (text: string) => string,
): Parts {
  words ??= wordsIn([recordSchema, EVENTS, ENDPOINTS, WORDS]);
  const known = new Set([...words, ...wordsIn(handlers)]);
  return createShaper(parts.text === 'keep' ? undefined : known, redact)(parts);
}
