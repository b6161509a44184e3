import type { VirguleError } from '@virgule/core/errors';
import { isRecord } from '@virgule/core/objects';
import {
  DESCRIPTION_MAX_LENGTH,
  resolveProfile,
  type Intent,
  type Profile,
} from '@virgule/core/protocol';
import { oneLine } from '@virgule/core/text';
import { durationMs, formatDuration } from '../define/duration.js';
import type { ErrorHandler, Middleware } from '../define/define-middleware.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { readOptions, toWireOptions } from '../options/read-options.js';
import { refusalOf } from '../scan/command-name.js';
import type { CommandRoute } from '../scan/command-routes.js';
import type { ModuleExports } from './import-file.js';
import type { Throttle } from '../command/throttle/throttle-settings.js';
import type { Command } from './project.js';
import { isClass } from './is-class.js';
import { isRunOfOther } from './keys-of-others.js';
import { readIntents } from './read-intents.js';
import { readThrottle } from './read-throttle.js';
import { SettingReport } from './setting-report.js';

/** When a command is deferred automatically, in milliseconds from its receipt. */
const AUTO_DEFER_MS = 1_500;
const DEFAULT_TIMEOUT_MS = 15 * 60_000;

const SETTINGS = [
  'aliases',
  'defer',
  'timeout',
  'cooldown',
  'concurrency',
  'silent',
  'intents',
  'meta',
] as const;
const DEFINITION_KEYS = ['description', 'options', 'run', ...SETTINGS];
const FORM = "defineCommand({ description: '…', run: (ctx) => '…' })";
const EXPORT_NAMES = ['default', 'description', 'options', 'config'];

export interface ReadCommandInput {
  readonly route: CommandRoute;
  readonly exports: ModuleExports;
  readonly source: string | undefined;
  readonly middleware: readonly Middleware[];
  readonly errorHandlers: readonly ErrorHandler[];
  /** Those of its folders. */
  readonly throttles: readonly Throttle[];
  /** Intents that every command may wait for, in addition to those it declares. */
  readonly intents: readonly Intent[];
  /** How the platform behaves. */
  readonly profile: Partial<Profile> | undefined;
  readonly report: (problem: VirguleError) => void;
  /** Called for what works, but probably not as intended. */
  readonly warn: (warning: VirguleError) => void;
}

/** Reads a command from the exports of its file, in either form. Reports every problem; returns `null` if there was one. */
export function readCommand(input: ReadCommandInput): Command | null {
  const { route, exports, source, middleware, errorHandlers } = input;
  const { file, name } = route;
  const report = new SettingReport({ file, source }, input.report);
  const definition = readDefinition(exports, report);
  if (!definition) {
    report.noHandler(
      exports['default'],
      'a default export made by defineCommand, or a function',
      FORM,
    );
    return null;
  }

  const {
    description: written,
    options,
    run,
    defer = 'auto',
    timeout,
    silent = false,
    intents,
    meta = {},
    aliases = [],
  } = definition;
  // On one line, as the platform may return it: the registered description would differ otherwise.
  const description = typeof written === 'string' ? oneLine(written) : written;
  if (
    typeof description !== 'string' ||
    description.length === 0 ||
    description.length > DESCRIPTION_MAX_LENGTH
  ) {
    const details = { file, saw: description, max: DESCRIPTION_MAX_LENGTH };
    report.add(runtimeErrors.E_DESCRIPTION(details, { location: report.locate('description') }));
  }
  const deferAfterMs = readDefer(defer);
  if (deferAfterMs === undefined)
    report.refuse('defer', "'auto', 'now', 'never' or a duration like '2s'", defer);
  const timeoutMs = timeout === undefined ? DEFAULT_TIMEOUT_MS : readDuration(timeout);
  if (timeoutMs === undefined || timeoutMs === 0)
    report.refuse('timeout', "a duration like '30s'", timeout);
  if (typeof silent !== 'boolean') report.refuse('silent', 'true or false', silent);
  if (!isRecord(meta)) report.refuse('meta', "an object, such as { category: 'fun' }", meta);
  const names = isList(aliases) ? aliases.filter(isName) : [];
  if (!isList(aliases) || names.length < aliases.length)
    report.refuse('aliases', "a list of command names, such as ['r', 'dice']", aliases);
  const declared = readIntents(intents, report);
  const { spec, problems, warnings } = readOptions(options, { file, source });
  const throttle = readThrottle(`/${name}`, definition, report);
  for (const problem of problems) report.add(problem);
  const { answerWindowMs, deferredWindowMs } = resolveProfile(input.profile);
  const warnPast = (key: string, ms: number, saw: unknown, limitMs: number): void => {
    if (typeof saw !== 'string' || ms <= limitMs) return;
    const details = { file, key, saw, limit: formatDuration(limitMs) };
    input.warn(runtimeErrors.E_DURATION_TOO_LONG(details, { location: report.locate(key) }));
  };
  warnPast('defer', deferAfterMs ?? 0, defer, answerWindowMs);
  warnPast('timeout', timeoutMs ?? 0, timeout, deferredWindowMs);
  warnings.forEach(input.warn);
  if (!report.isValid || deferAfterMs === undefined || timeoutMs === undefined) return null;
  return {
    name,
    aliases: names,
    file,
    spec,
    wire: { name, description: String(description), options: toWireOptions(spec) },
    deferAfterMs,
    timeoutMs,
    silent: silent === true,
    meta: isRecord(meta) ? meta : {},
    settings: Object.fromEntries(
      SETTINGS.flatMap((key) => (definition[key] === undefined ? [] : [[key, definition[key]]])),
    ),
    intents: [...declared, ...input.intents],
    throttles: [...input.throttles, ...throttle],
    middleware,
    errorHandlers,
    run,
  };
}

interface RawDefinition {
  readonly description?: unknown;
  readonly options?: unknown;
  readonly defer?: unknown;
  readonly timeout?: unknown;
  readonly silent?: unknown;
  readonly intents?: unknown;
  readonly meta?: unknown;
  readonly aliases?: unknown;
  readonly cooldown?: unknown;
  readonly concurrency?: unknown;
  readonly run: Command['run'];
}

/** Converts plain exports to the form of one object. Returns `null` if there is no handler. */
function readDefinition(exports: ModuleExports, report: SettingReport): RawDefinition | null {
  const main = exports['default'];
  if (isRecord(main)) {
    const { run } = main;
    const hasRun = isHandler(run);
    // Of a key that should be called `run`, the missing handler says it.
    const keys = Object.keys(main).filter((key) => hasRun || !isRunOfOther(key));
    report.unknownKeys(keys, DEFINITION_KEYS);
    report.unknownExports(exports, ['default']);
    return hasRun ? { ...main, run } : null;
  }
  report.unknownExports(exports, EXPORT_NAMES);
  if (!isHandler(main) || isClass(main)) return null;
  const given = exports['config'] ?? {};
  if (!isRecord(given))
    report.refuse('config', "an object of settings, such as { timeout: '30s' }", given);
  const config = isRecord(given) ? given : {};
  report.unknownKeys(Object.keys(config), SETTINGS);
  return { ...config, description: exports['description'], options: exports['options'], run: main };
}

function readDefer(defer: unknown): number | null | undefined {
  if (defer === 'auto') return AUTO_DEFER_MS;
  if (defer === 'now') return 0;
  if (defer === 'never') return null;
  return readDuration(defer);
}

const readDuration = (value: unknown): number | undefined =>
  typeof value === 'string' ? durationMs(value) : undefined;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isName = (value: unknown): value is string =>
  typeof value === 'string' && refusalOf(value) === null;
const isHandler = (value: unknown): value is Command['run'] => typeof value === 'function';
