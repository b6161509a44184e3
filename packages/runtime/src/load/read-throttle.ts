import { isRecord } from '@virgule/core/objects';
import { durationMs } from '../define/duration.js';
import type {
  Concurrency,
  Cooldown,
  Throttle,
  ThrottleScope,
} from '../command/throttle/throttle-settings.js';
import type { SettingReport } from './setting-report.js';

const SCOPES = ['channel', 'server', 'global'] as const;
const WHENS = ['queue', 'drop', 'reject'] as const;
const SCOPE_WANT = "'channel', 'server', 'global' or a function that returns a key";
const USER_ADVICE =
  "The platform does not report who ran a command. If yours does, pass a function: per: ({ raw }) => raw['userId'] as string | undefined.";

/** Reads the settings that throttle a command, or the folder of a middleware. Empty if there are none. */
export function readThrottle(
  name: string,
  settings: { readonly cooldown?: unknown; readonly concurrency?: unknown },
  report: SettingReport,
): readonly Throttle[] {
  const cooldown = readCooldown(settings.cooldown, report);
  const concurrency = readConcurrency(settings.concurrency, report);
  return cooldown || concurrency ? [{ name, cooldown, concurrency }] : [];
}

/** Reads the setting `cooldown`: `'5s'`, or an object. `undefined` if there is none, or if it is invalid. */
function readCooldown(value: unknown, report: SettingReport): Cooldown | undefined {
  if (value === undefined) return undefined;
  const setting = typeof value === 'string' ? { every: value } : value;
  if (!isRecord(setting)) {
    report.refuse('cooldown', "a duration like '5s', or { every: '5s', per: 'channel' }", value);
    return undefined;
  }
  report.unknownKeys(Object.keys(setting), ['every', 'limit', 'per'], 'cooldown');
  const everyMs = typeof setting['every'] === 'string' ? durationMs(setting['every']) : undefined;
  if (everyMs === undefined || everyMs === 0) {
    report.refuse('cooldown.every', "a duration like '5s'", setting['every']);
  }
  const { limit = 1 } = setting;
  if (!isCount(limit)) report.refuse('cooldown.limit', 'a whole number from 1', limit);
  const per = readScope(setting['per'], 'cooldown.per', 'channel', report);
  return everyMs === undefined || everyMs === 0 || !isCount(limit) || !per
    ? undefined
    : { everyMs, limit, per };
}

/** Reads the setting `concurrency`. `undefined` if there is none, or if it is invalid. */
function readConcurrency(value: unknown, report: SettingReport): Concurrency | undefined {
  if (value === undefined) return undefined;
  if (!isRecord(value)) {
    report.refuse('concurrency', "an object like { max: 1, when: 'queue' }", value);
    return undefined;
  }
  report.unknownKeys(Object.keys(value), ['max', 'per', 'when'], 'concurrency');
  const { max, when } = value;
  if (!isCount(max)) report.refuse('concurrency.max', 'a whole number from 1', max);
  const per = readScope(value['per'], 'concurrency.per', 'global', report);
  const action = WHENS.find((known) => known === when);
  if (!action)
    report.refuseUnlisted('concurrency.when', "'queue', 'drop' or 'reject'", when, WHENS);
  return isCount(max) && per && action ? { max, per, when: action } : undefined;
}

function readScope(
  value: unknown,
  key: string,
  fallback: ThrottleScope,
  report: SettingReport,
): ThrottleScope | undefined {
  if (value === undefined) return fallback;
  // Its result is checked when it is called.
  if (typeof value === 'function') return value as ThrottleScope;
  const scope = SCOPES.find((known) => known === value);
  if (scope) return scope;
  if (value === 'user') report.refuse(key, SCOPE_WANT, value, USER_ADVICE);
  else report.refuseUnlisted(key, SCOPE_WANT, value, SCOPES);
  return undefined;
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
