import { randomUUID } from 'node:crypto';
import { describeSeen, isObject } from '@virgule/core/objects';
import { didYouMean } from '@virgule/core/text';
import * as z from 'zod';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { toJsonText } from '../storage/json-text.js';
import { durationMs } from '../text/duration.js';
import { isTimeZone } from '../text/time-zone.js';
import { plainEmoji } from '../command/waits/listener.js';
import type { AskOptions, RepeatSettings } from './define-task.js';
import { MAX_WITHIN_MS, namesOfFiles, nextTime, type Task } from './task.js';
import { nameInKey } from './task-keys.js';
import { FILE_KEY } from './task-repeats.js';

// The functions of this file throw or return VirguleError `E_TASK_CALL`.

/** Maximum length of the key of a repeat, in the form of a key in the storage. */
const MAX_KEY_LENGTH = 200;
/** Minimum interval of a repeat, and minimum time to answer a question, in milliseconds. */
const MIN_INTERVAL_MS = 1_000;

/** Refuses a time beyond those of a `Date`. */
export function checkTime(task: string, ms: number): void {
  if (Number.isNaN(new Date(ms).getTime()))
    throw invalidOption(task, 'the time of a valid Date', ms);
}

/** Returns the error for an invalid option of a call. */
const invalidOption = (task: string, want: string, saw: unknown) =>
  runtimeErrors.E_TASK_CALL({ kind: 'option', task, want, saw: describeSeen(saw) });

/** Refuses a misspelled option, which JavaScript may pass: without `by`, all users could answer. */
function checkKeys(task: string, options: object, known: readonly string[]): void {
  const key = Object.keys(options).find((each) => !known.includes(each));
  if (key !== undefined) throw invalidOption(task, `one of its options, ${known.join(', ')}`, key);
}

/** Reads the settings of a repeat. */
export async function readRepeat(task: string, settings: RepeatSettings, nowMs: number) {
  checkKeys(task, settings, 'cron' in settings ? ['key', 'timeZone', 'cron'] : ['key', 'every']);
  const { key = randomUUID(), every, cron, timeZone = 'UTC' } = settings;
  if (typeof key !== 'string' || key === FILE_KEY || nameInKey(key).length > MAX_KEY_LENGTH)
    throw invalidOption(task, KEY, key);
  if (!isTimeZone(timeZone))
    throw invalidOption(task, "a time zone, such as 'Europe/Berlin'", timeZone);
  const everyMs = durationMs(every) ?? 0;
  if (cron === undefined && everyMs < MIN_INTERVAL_MS)
    throw invalidOption(task, 'a duration of a second or more', every);
  const timing = cron === undefined ? { every: everyMs } : { cron: String(cron), timeZone };
  const due = await nextTime(timing, nowMs).catch(() => undefined);
  if (due === undefined) throw invalidOption(task, CRON, cron);
  checkTime(task, due);
  return { key, timing, due };
}

const KEY = `a key of 1 to ${MAX_KEY_LENGTH} characters, as encoded in a URL`;
const CRON = "a cron expression with a future time, such as '0 9 * * 1-5'";

/** Reads the options of a question, and checks its message. */
export function readAskOptions(
  { name: task, waits }: Task,
  options: Partial<AskOptions>,
  question: unknown,
) {
  if (!isObject(question) || !('message' in question))
    throw invalidOption(task, 'a message that was sent, such as `await reply(…)`', question);
  checkKeys(task, options, ['by', 'within', 'choices']);
  const { within, choices } = options;
  const by: unknown = 'by' in options ? (options.by ?? []) : 'anyone';
  if (by !== 'anyone' && !isStrings(by))
    throw invalidOption(task, "'anyone' or a list of user ids in `by`", by);
  const withinMs = durationMs(within) ?? 0;
  if (withinMs < MIN_INTERVAL_MS || withinMs > MAX_WITHIN_MS)
    throw invalidOption(task, "a time from '1s' to '365d' in `within`", within);
  const count = isStrings(choices) ? new Set(choices.map(plainEmoji)).size : 0;
  const isChoices = count >= 2 && count <= 20 && count === choices?.length;
  if (waits === 'votes' ? !isChoices : choices !== undefined)
    throw invalidOption(task, CHOICES, choices);
  const votes = Object.fromEntries((choices ?? []).map((each) => [each, []]));
  return { by, withinMs, votes } as const;
}

const CHOICES = 'a list of 2 to 20 different emojis in `choices` of a vote, and only there';

const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '');

/** Checks the name and the payload of a call; `isAsk`: of a question. Returns the task. */
export async function checkCall(
  tasks: ReadonlyMap<string, Task>,
  name: string,
  payload: unknown,
  isAsk = false,
): Promise<Task> {
  const task = tasks.get(name);
  if (!task) {
    const known = namesOfFiles(tasks);
    throw runtimeErrors.E_TASK_CALL({ kind: 'name', name, known, meant: didYouMean(name, known) });
  }
  if ((task.waits !== undefined) !== isAsk)
    throw runtimeErrors.E_TASK_CALL({ kind: 'waits', task: name, isAsk });
  await checkPayload(task, payload);
  // The input of the schema is stored, not its output: a later version of the schema parses the input again.
  const text = payload === undefined ? '' : toJsonText(payload);
  if (typeof text !== 'string')
    throw invalidPayload(task, text.path, `${text.saw} cannot be stored`);
  return task;
}

const NO_PAYLOAD = z.undefined('it has no schema');

/** Parses the payload of a run by the schema of its task. Refuses a payload that does not match. */
async function checkPayload(task: Task, payload: unknown): Promise<unknown> {
  const { success, data, error } = await z.safeParseAsync(task.payload ?? NO_PAYLOAD, payload);
  if (success) return data;
  const { path = [], message = 'invalid' } = error.issues[0] ?? {};
  throw invalidPayload(task, path.join('.'), message, error);
}

/** Parses the stored payload of a run. A payload that the schema no longer accepts is upgraded. */
export function upgradedPayload(task: Task, payload: unknown): Promise<unknown> {
  const { upgrade } = task;
  const checking = checkPayload(task, payload);
  if (!upgrade) return checking;
  return checking.catch(async () => checkPayload(task, await upgrade(payload)));
}

const invalidPayload = ({ name: task, file }: Task, at: string, why: string, cause?: unknown) =>
  runtimeErrors.E_TASK_CALL({ kind: 'payload', task, file, at, why }, { cause });
