import { describeSeen } from '@virgule/core/objects';
import * as z from 'zod';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { Task } from './task.js';

// The functions of this file throw or return VirguleError `E_TASK_CALL`.

/** Maximum time of a `Date`, in milliseconds since the epoch. */
const MAX_TIME_MS = 8.64e15;

/** Refuses a time beyond those of a `Date`. */
export function checkTime(task: string, ms: number): void {
  const isTime = Math.abs(ms) <= MAX_TIME_MS;
  if (!isTime) throw runtimeErrors.E_TASK_CALL({ kind: 'time', task, saw: String(ms) });
}

/** Returns the error for an invalid option of a call. */
export const invalidOption = (task: string, want: string, saw: unknown) =>
  runtimeErrors.E_TASK_CALL({ kind: 'option', task, want, saw: describeSeen(saw) });

/** Refuses a misspelled option, which JavaScript may pass: without `by`, all users could answer. */
export function checkKeys(task: string, options: object, known: readonly string[]): void {
  const key = Object.keys(options).find((each) => !known.includes(each));
  if (key !== undefined) throw invalidOption(task, `one of its options, ${known.join(', ')}`, key);
}

/** Parses the payload of a run by the schema of its task. Refuses a payload that does not match. */
export async function checkPayload(task: Task, payload: unknown): Promise<unknown> {
  if (!task.payload) {
    if (payload === undefined) return undefined;
    throw invalidPayload(task, '', 'it has no schema');
  }
  const { success, data, error } = await z.safeParseAsync(task.payload, payload);
  if (success) return data;
  const [issue] = error.issues;
  const at = issue?.path.join('.') ?? '';
  throw invalidPayload(task, at, issue?.message ?? 'invalid', error);
}

export const invalidPayload = (
  { name: task, file }: Task,
  at: string,
  why: string,
  cause?: unknown,
) => runtimeErrors.E_TASK_CALL({ kind: 'payload', task, file, at, why }, { cause });
