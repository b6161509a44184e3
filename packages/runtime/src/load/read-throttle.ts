import { type SourceLocation, type VirguleError } from '@virgule/core/errors';
import { isRecord } from '@virgule/core/objects';
import { didYouMean } from '@virgule/core/text';
import { durationMs } from '../define/duration.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type {
  Concurrency,
  Cooldown,
  Throttle,
  ThrottleScope,
} from '../command/throttle/throttle-settings.js';

/** The source of a setting, and where its problems are reported. */
export interface ThrottleSource {
  readonly file: string;
  /** Locates a key; without a line if it is not found. */
  readonly locate: (key: string) => SourceLocation;
  readonly report: (problem: VirguleError) => void;
}

const SCOPES = ['channel', 'server', 'global'] as const;
const WHENS = ['queue', 'drop', 'reject'] as const;
const SCOPE_WANT = "'channel', 'server', 'global' or a function that returns a key";

type Report = (key: string, want: string, saw: unknown, advice?: string) => void;

/** Reads the settings that throttle a command, or the folder of a middleware. Empty if there are none. */
export function readThrottle(
  name: string,
  settings: { readonly cooldown?: unknown; readonly concurrency?: unknown },
  source: ThrottleSource,
): readonly Throttle[] {
  const cooldown = readCooldown(settings.cooldown, source);
  const concurrency = readConcurrency(settings.concurrency, source);
  return cooldown || concurrency ? [{ name, cooldown, concurrency }] : [];
}

/** Reads the setting `cooldown`: `'5s'`, or an object. `undefined` if there is none, or if it is invalid. */
function readCooldown(value: unknown, source: ThrottleSource): Cooldown | undefined {
  if (value === undefined) return undefined;
  const report = reporter(source);
  const setting = typeof value === 'string' ? { every: value } : value;
  if (!isRecord(setting)) {
    report('cooldown', "a duration like '5s', or { every: '5s', per: 'channel' }", value);
    return undefined;
  }
  checkKeys(setting, 'cooldown', ['every', 'limit', 'per'], source);
  const everyMs = typeof setting['every'] === 'string' ? durationMs(setting['every']) : undefined;
  if (everyMs === undefined || everyMs === 0) {
    report('cooldown.every', "a duration like '5s'", setting['every']);
  }
  const { limit = 1 } = setting;
  if (!isCount(limit)) report('cooldown.limit', 'a whole number from 1', limit);
  const per = readScope(setting['per'], 'cooldown.per', 'channel', report);
  return everyMs === undefined || everyMs === 0 || !isCount(limit) || !per
    ? undefined
    : { everyMs, limit, per };
}

/** Reads the setting `concurrency`. `undefined` if there is none, or if it is invalid. */
function readConcurrency(value: unknown, source: ThrottleSource): Concurrency | undefined {
  if (value === undefined) return undefined;
  const report = reporter(source);
  if (!isRecord(value)) {
    report('concurrency', "an object like { max: 1, when: 'queue' }", value);
    return undefined;
  }
  checkKeys(value, 'concurrency', ['max', 'per', 'when'], source);
  const { max, when } = value;
  if (!isCount(max)) report('concurrency.max', 'a whole number from 1', max);
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
  // Its result is checked when it is called.
  if (typeof value === 'function') return value as ThrottleScope;
  const scope = SCOPES.find((known) => known === value);
  if (scope) return scope;
  const meant = typeof value === 'string' ? didYouMean(value, SCOPES) : undefined;
  report(
    key,
    SCOPE_WANT,
    value,
    value === 'user'
      ? "The platform does not report who ran a command. If yours does, pass a function: per: ({ raw }) => String(raw['userId'])."
      : meant && `Did you mean '${meant}'?`,
  );
  return undefined;
}

function checkKeys(
  setting: Readonly<Record<string, unknown>>,
  name: string,
  known: readonly string[],
  { file, locate, report }: ThrottleSource,
): void {
  for (const key of Object.keys(setting)) {
    if (known.includes(key)) continue;
    const details = { file, key: `${name}.${key}`, meant: didYouMean(key, known), known };
    report(runtimeErrors.E_UNKNOWN_KEY(details, { location: locate(key) }));
  }
}

function reporter({ file, locate, report }: ThrottleSource): Report {
  return (key, want, saw, advice) => {
    const name = key.split('.').at(-1) ?? key;
    // A missing key has no line, but its setting has one.
    const place = locate(name);
    const location = place.line === undefined ? locate(key.split('.')[0] ?? key) : place;
    report(runtimeErrors.E_SETTING({ file, key, want, saw, advice }, { location }));
  };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
