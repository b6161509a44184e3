import { isRecord } from '@virgule/core/objects';
import { INTENTS } from '@virgule/core/protocol';
import { didYouMean } from '@virgule/core/text';
import * as z from 'zod';
import type { ThrottleScope } from '../command/throttle/throttle-settings.js';
import type { EventOptions, EventOrder } from '../events/define-event.js';
import { ANSWER_EVENTS, MAX_WITHIN_MS, type Awaited } from '../tasks/task.js';
import { durationMs, type Duration } from '../text/duration.js';
import { isTimeZone } from '../text/time-zone.js';
import { AUTO_DEFER_MS } from '../command/define/command.js';
import type { Meta } from '../command/register.js';
import { isId } from '../options/references.js';
import { refusalOf } from '../scan/command-name.js';

/**
 * Returns a schema for objects with exactly the keys of a shape. An issue of an unknown key has the known keys as its message.
 *
 * @param want - description of a valid value, as the end of a sentence.
 */
export function settingsObject<Shape extends z.ZodRawShape>(shape: Shape, want: string) {
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? Object.keys(shape).join(KEY_SEPARATOR) : want,
  });
}

export const KEY_SEPARATOR = ', ';

export const DEFAULT_TIMEOUT_MS = 15 * 60_000;

const DEFAULT_RETRIES = 3;
const DEFAULT_BACKOFF_MS = 10_000;
/** Maximum number of runs of a task in progress at a time. */
const DEFAULT_CONCURRENCY = 10;

const SCOPES = ['channel', 'server', 'global'] as const;
const USER_ADVICE =
  "A cooldown counts each author with by: 'author'. The platform does not report who ran a slash command: set messages: 'only', so that users send the command as a message.";

const error = `a list of ${INTENTS.join(', ')}`;
const intents = z.array(z.enum(INTENTS, error), error).default([]);

const flag = z.boolean('true or false').default(false);
const count = z.int('a whole number from 1').min(1, 'a whole number from 1');

const userIds = z
  .array(z.string())
  // The message of `tool` describes a valid list too.
  .refine((ids) => ids.length > 0 && ids.every(isId), { abort: true });

const scope = z.custom<ThrottleScope>(
  // The result of a function is checked when the function is called.
  (value) => typeof value === 'function' || SCOPES.some((known) => known === value),
  {
    error: "'channel', 'server', 'global' or a function that returns a key",
    params: {
      advice: (saw: string) => {
        const meant = didYouMean(saw, SCOPES);
        return saw === 'user' ? USER_ADVICE : meant && `Did you mean '${meant}'?`;
      },
    },
  },
);

const textMs = (value: unknown): number | undefined =>
  typeof value === 'string' ? durationMs(value) : undefined;
const positive = (value: unknown): number | undefined => textMs(value) || undefined;

/** Schemas of the limits of a command, or of the commands of a folder together. */
const throttle = {
  cooldown: z
    .preprocess(
      (value) => (typeof value === 'string' ? { every: value } : value),
      settingsObject(
        {
          every: converted("a duration like '5s'", positive),
          limit: count.default(1),
          per: scope.optional(),
          by: z.literal('author', "'author'").optional(),
        },
        "a duration like '5s', or { every: '5s', per: 'channel' }",
      ).transform(({ every: everyMs, by, per = by ? 'global' : 'channel', ...rest }) => ({
        ...rest,
        everyMs,
        per,
        by,
      })),
    )
    .optional(),
  concurrency: settingsObject(
    {
      max: count,
      per: scope.default('global'),
      when: z.enum(['queue', 'drop', 'reject'], "'queue', 'drop' or 'reject'"),
    },
    "an object like { max: 1, when: 'queue' }",
  ).optional(),
};

export const throttleSettings = z.object(throttle);

/** Schema of the settings of a command, in the order in which they are listed. */
export const commandSettings = z.object({
  aliases: z
    .custom<readonly string[]>(
      (value) =>
        Array.isArray(value) &&
        value.every((name) => typeof name === 'string' && refusalOf(name) === null),
      "a list of command names, such as ['r', 'dice']",
    )
    .default([]),
  defer: converted("'auto', 'now', 'never' or a duration like '2s'", deferMs).default(
    AUTO_DEFER_MS,
  ),
  timeout: converted("a duration like '30s'", positive).default(DEFAULT_TIMEOUT_MS),
  ...throttle,
  silent: flag,
  tool: z
    .union(
      [
        z.enum(['reads', 'writes']),
        z.strictObject({
          asks: z.union([z.enum(['author', 'anyone']), userIds]),
          within: z
            .custom<Duration>((value) => (atLeastASecond(value) ?? Infinity) <= MAX_WITHIN_MS)
            .default('1d'),
        }),
      ],
      "'reads', 'writes' or { asks: [ids] } with 'author', 'anyone' or user ids, and within: '1s' to '365d'",
    )
    .optional(),
  messages: z.union([z.boolean(), z.literal('only')], "true, false or 'only'").default(false),
  intents,
  meta: z.custom<Meta>(isRecord, "an object, such as { category: 'fun' }").default({}),
});

export const eventSettings = z.object({
  own: flag,
  once: flag,
  order: z
    .custom<EventOrder>(
      (value) => value === 'channel' || value === 'none' || typeof value === 'function',
      "'channel', 'none' or a function that returns a key",
    )
    .default('channel'),
  when: callback<EventOptions<unknown>['when']>('true for the events to handle'),
  overlap: z
    .enum(['queue', 'latest', 'drop', 'abort'], "'queue', 'latest', 'drop' or 'abort'")
    .optional(),
  burst: converted("a duration like '1.5s'", positive).default(0),
  timeout: converted("a duration like '30s'", positive).optional(),
  intents,
});

export const taskSettings = z.object({
  every: converted("a duration of a second or more, like '1h'", atLeastASecond).optional(),
  cron: z.string("a cron expression, such as '0 9 * * 1-5'").optional(),
  timeZone: z.custom<string>(isTimeZone, "a time zone, such as 'Europe/Berlin'").optional(),
  timeout: converted("a duration like '30s'", positive).default(DEFAULT_TIMEOUT_MS),
  retries: z.int('a whole number from 0').min(0, 'a whole number from 0').default(DEFAULT_RETRIES),
  backoff: converted("a duration like '10s'", positive).default(DEFAULT_BACKOFF_MS),
  concurrency: count.default(DEFAULT_CONCURRENCY),
  order: callback<(payload: unknown) => unknown>('a key'),
  maxLate: converted("a duration like '10m'", positive).default(Infinity),
  waits: z
    .enum(Object.keys(ANSWER_EVENTS) as Awaited[], "'confirm', 'message' or 'votes'")
    .optional(),
  upgrade: callback<(old: unknown) => unknown>('a payload'),
});

/** Returns a schema of an optional function, which is not called here. `returns`: its result, for the message. */
function callback<Callback>(returns: string) {
  const isFunction = (value: unknown): boolean => typeof value === 'function';
  return z.custom<Callback>(isFunction, `a function that returns ${returns}`).optional();
}

/** Returns a schema that converts values by `convert`. A value for which `convert` returns `undefined` is invalid. */
function converted<Value>(want: string, convert: (value: unknown) => Value | undefined) {
  return z.unknown().transform((value, context): Value => {
    const found = convert(value);
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', message: want, input: value });
    return z.NEVER;
  });
}

function atLeastASecond(value: unknown): number | undefined {
  const ms = textMs(value) ?? 0;
  return ms >= 1_000 ? ms : undefined;
}

function deferMs(value: unknown): number | null | undefined {
  if (value === 'auto') return AUTO_DEFER_MS;
  if (value === 'now') return 0;
  return value === 'never' ? null : textMs(value);
}
