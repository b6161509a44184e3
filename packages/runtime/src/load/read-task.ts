import { errorText } from '@virgule/core/errors';
import { isRecord } from '@virgule/core/objects';
import type { z } from 'zod';
import type { TaskRoute } from '../scan/named-routes.js';
import { nextTime, type Task, type Timing } from '../tasks/task.js';
import { writtenSettings, type SettingReport, type RouteInput } from './setting-report.js';
import { taskSettings } from './settings-schema.js';

/** Reads a task from the exports of its file. Reports every problem; returns `null` after a problem. */
export async function readTask(input: RouteInput<TaskRoute>): Promise<Task | null> {
  const { exports, report: settings } = input;
  const { name, file } = input.route;
  const main = settings.definition(exports['default'], exports, KEYS, WANTED);
  if (!main) return null;
  const { payload, run } = main;
  if (payload !== undefined && !isSchema(payload))
    settings.refuse('payload', 'a zod schema, such as z.object({ text: z.string() })', payload);
  const read = settings.read(taskSettings, main);
  if (!read || !settings.isValid) return null;
  const { every, cron, timeZone, ...options } = read;
  const schedule = await scheduleOf({ every, cron, timeZone }, settings);
  if (schedule && payload !== undefined) {
    const want = 'omitted: a task with a schedule has no payload';
    settings.refuse('payload', want, payload, 'Remove payload, or remove the schedule.');
  }
  if (schedule && read.waits !== undefined)
    settings.refuse('waits', 'omitted: a task with a schedule has no question', read.waits);
  if (read.waits !== undefined && main['maxLate'] !== undefined)
    settings.refuse('maxLate', 'omitted: within limits the time of a question', main['maxLate']);
  if (!settings.isValid) return null;
  const { timeout: timeoutMs, backoff: backoffMs, maxLate: maxLateMs, ...others } = options;
  return {
    ...others,
    name,
    file,
    schedule,
    // `isSchema` has checked the payload.
    payload: payload as z.core.$ZodType | undefined,
    timeoutMs,
    backoffMs,
    maxLateMs,
    settings: writtenSettings(main, SETTINGS),
    run,
  };
}

const WANTED = [
  'a default export made by defineTask',
  "defineTask({ every: '1h', run: (ctx) => { … } })",
] as const;
const SETTINGS = Object.keys(taskSettings.shape);
const KEYS = ['payload', 'run', ...SETTINGS];

const FIELD_COUNTS = [5, 6];
const CRON_FIELDS =
  'Write minute, hour, day of the month, month and day of the week, with seconds in front if needed';

async function scheduleOf(
  { every, cron, timeZone }: Pick<z.output<typeof taskSettings>, 'every' | 'cron' | 'timeZone'>,
  settings: SettingReport,
): Promise<Timing | null> {
  if (every !== undefined && cron !== undefined)
    settings.refuse('cron', 'omitted if every is set', cron, 'Remove cron or every.');
  if (cron === undefined && timeZone !== undefined)
    settings.refuse('timeZone', 'omitted without cron', timeZone, 'Remove timeZone, or set cron.');
  if (cron === undefined) return every === undefined ? null : { every };
  try {
    const schedule = { cron, timeZone: timeZone ?? 'UTC' };
    if ((await nextTime(schedule, 0)) === undefined) {
      const advice = 'Write a date that exists, such as 0 9 1 1 *.';
      settings.refuse('cron', 'an expression with a future time', cron, advice);
    }
    return schedule;
  } catch (error) {
    const isOfFields = FIELD_COUNTS.includes(cron.trim().split(/\s+/).length);
    const reason = errorText(error).replace(/^CronPattern: |\.$/g, '');
    const advice = `${CRON_FIELDS}${isOfFields ? `: ${reason}` : ''}.`;
    settings.refuse('cron', "a cron expression, such as '0 9 * * 1-5'", cron, advice);
    return null;
  }
}

const isSchema = (value: unknown): boolean => isRecord(value) && '_zod' in value;
