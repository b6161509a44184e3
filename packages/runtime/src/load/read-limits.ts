import { didYouMean, type SourceLocation, type VirguleError } from '@virgule/core/errors';
import { durationMs } from '../define/duration.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type {
  Concurrency,
  Cooldown,
  Throttle,
  ThrottleScope,
} from '../command/throttle/throttle-settings.js';

/** Where a setting stands, and who is told what is wrong with it. */
export interface LimitSource {
  readonly file: string;
  /** Where a key stands; without a line where that cannot be told. */
  readonly locate: (key: string) => SourceLocation;
  readonly report: (problem: VirguleError) => void;
}

const SCOPES = ['channel', 'server', 'global'] as const;
const WHENS = ['queue', 'drop', 'reject'] as const;
const SCOPE_WANT = "'channel', 'server', 'global' or a function that gives a key";

type Report = (key: string, want: string, saw: unknown, advice?: string) => void;

/** Reads the settings that throttle one command, or with its middleware one folder. Empty when there are none. */
export function readThrottle(
  name: string,
  settings: { readonly cooldown?: unknown; readonly concurrency?: unknown },
  source: LimitSource,
): readonly Throttle[] {
  const cooldown = readCooldown(settings.cooldown, source);
  const concurrency = readConcurrency(settings.concurrency, source);
  return cooldown || concurrency ? [{ name, cooldown, concurrency }] : [];
}

/** Reads the setting `cooldown`: `'5s'`, or an object. `undefined` when there is none, or none that is sound. */
function readCooldown(value: unknown, source: LimitSource): Cooldown | undefined {
  if (value === undefined) return undefined;
  const report = reporter(source);
  const setting = typeof value === 'string' ? { every: value } : value;
  if (!isObject(setting)) {
    report('cooldown', "a duration like '5s', or { every: '5s', per: 'channel' }", value);
    return undefined;
  }
  checkKeys(setting, 'cooldown', ['every', 'limit', 'per'], source);
  const everyMs = typeof setting['every'] === 'string' ? durationMs(setting['every']) : undefined;
  if (everyMs === undefined || everyMs === 0) {
    report('cooldown.every', "a duration like '5s'", setting['every']);
  }
  const { limit = 1 } = setting;
  if (!isCount(limit)) report('cooldown.limit', 'a whole number from 1 on', limit);
  const per = readScope(setting['per'], 'cooldown.per', 'channel', report);
  return everyMs === undefined || everyMs === 0 || !isCount(limit) || !per
    ? undefined
    : { everyMs, limit, per };
}

/** Reads the setting `concurrency`. `undefined` when there is none, or none that is sound. */
function readConcurrency(value: unknown, source: LimitSource): Concurrency | undefined {
  if (value === undefined) return undefined;
  const report = reporter(source);
  if (!isObject(value)) {
    report('concurrency', "an object like { max: 1, when: 'queue' }", value);
    return undefined;
  }
  checkKeys(value, 'concurrency', ['max', 'per', 'when'], source);
  const { max, when } = value;
  if (!isCount(max)) report('concurrency.max', 'a whole number from 1 on', max);
  const per = readScope(value['per'], 'concurrency.per', 'global', report);
  const action = WHENS.find((known) => known === when);
  if (!action) {
    const meant = typeof when === 'string' ? didYouMean(when, WHENS) : undefined;
    report(
      'concurrency.when',
      "'queue', 'drop' or 'reject'",
      when,
      meant && `Did you mean '${meant}'?`,
    );
  }
  return isCount(max) && per && action ? { max, per, when: action } : undefined;
}

function readScope(
  value: unknown,
  key: string,
  fallback: ThrottleScope,
  report: Report,
): ThrottleScope | undefined {
  if (value === undefined) return fallback;
  // What it gives is looked at when it is called.
  if (typeof value === 'function') return value as ThrottleScope;
  const scope = SCOPES.find((known) => known === value);
  if (scope) return scope;
  const meant = typeof value === 'string' ? didYouMean(value, SCOPES) : undefined;
  report(
    key,
    SCOPE_WANT,
    value,
    value === 'user'
      ? "The platform does not say who ran a command. Where it tells it all the same, write a function: per: ({ raw }) => String(raw['userId'])."
      : meant && `Did you mean '${meant}'?`,
  );
  return undefined;
}

function checkKeys(
  setting: Readonly<Record<string, unknown>>,
  name: string,
  known: readonly string[],
  { file, locate, report }: LimitSource,
): void {
  for (const key of Object.keys(setting)) {
    if (known.includes(key)) continue;
    const details = { file, key: `${name}.${key}`, meant: didYouMean(key, known), known };
    report(runtimeErrors.E_UNKNOWN_KEY(details, { location: locate(key) }));
  }
}

function reporter({ file, locate, report }: LimitSource): Report {
  return (key, want, saw, advice) => {
    const name = key.split('.').at(-1) ?? key;
    // A key that is missing has no line; the setting it is missing from has one.
    const place = locate(name);
    const location = place.line === undefined ? locate(key.split('.')[0] ?? key) : place;
    report(runtimeErrors.E_SETTING({ file, key, want, saw, advice }, { location }));
  };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
