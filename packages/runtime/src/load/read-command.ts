import { isRecord } from '@virgule/core/objects';
import { DESCRIPTION_MAX_LENGTH } from '@virgule/core/protocol';
import { oneLine } from '@virgule/core/text';
import type { z } from 'zod';
import { formatDuration } from '../text/duration.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { readOptions } from '../options/read-options.js';
import type { CommandRoute } from '../scan/named-routes.js';
import type { ModuleExports } from './import-file.js';
import type { Throttle } from '../command/throttle/throttle-settings.js';
import { rememberName, toWireOptions, type Command } from '../command/define/command.js';
import { needsAuthor } from '../command/define/require-author.js';
import {
  isClass,
  writtenSettings,
  type Definition,
  type SettingReport,
  type RouteInput,
} from './setting-report.js';
import { intentOfAnswers } from '../tasks/task.js';
import { commandSettings, type throttleSettings } from './settings-schema.js';

const SETTINGS = Object.keys(commandSettings.shape);
/** Settings of a command that sets nothing, as most do: a save can read a hundred of them. */
const DEFAULTS = commandSettings.parse({});
const DEFINITION_KEYS = ['description', 'options', 'run', ...SETTINGS];
const EXPORT_NAMES = ['default', 'description', 'options', 'config'];

/** Reads a command from the exports of its file: an object or a function. Reports every problem; returns `null` after a problem. */
export function readCommand(input: RouteInput<CommandRoute>): Command | null {
  const { route, exports, report, middleware, errorHandlers } = input;
  const { file, name } = route;
  const definition = readDefinition(exports, report);
  if (!definition) return null;

  const { description: given, options, run } = definition;
  // Line breaks are removed, as the platform may do: the registered description would differ otherwise.
  const description = typeof given === 'string' ? oneLine(given) : given;
  const length = typeof description === 'string' ? description.length : 0;
  if (length === 0 || length > DESCRIPTION_MAX_LENGTH) {
    const details = { file, saw: description, max: DESCRIPTION_MAX_LENGTH };
    report.add(runtimeErrors.E_DESCRIPTION(details, { location: report.locate('description') }));
  }
  const written = writtenSettings(definition, SETTINGS);
  // Each command has its own objects, which other code of the bot may fill.
  const settings = !Object.keys(written).length
    ? { ...DEFAULTS, aliases: [], meta: {} }
    : report.read(commandSettings, written);
  const { spec, problems, warnings } = readOptions(options, report.where);
  for (const problem of problems) report.add(problem);
  input.warnings.push(...warnings);
  if (!settings || !report.isValid) return null;

  const { defer, timeout: timeoutMs, tool, messages } = settings;
  const { answerWindowMs, deferredWindowMs } = input.profile;
  const isAuto = (definition['defer'] ?? 'auto') === 'auto';
  // The other half of the window is a reserve for the network and for variance.
  const deferAfterMs = isAuto && defer !== null ? Math.min(defer, answerWindowMs / 2) : defer;
  const warnPast = (key: 'defer' | 'timeout', ms: number, limitMs: number): void => {
    const saw = definition[key];
    if (typeof saw !== 'string' || ms <= limitMs) return;
    const details = { file, key, saw, limit: formatDuration(limitMs) };
    const location = report.locate(key);
    input.warnings.push(runtimeErrors.E_DURATION_TOO_LONG(details, { location }));
  };
  warnPast('defer', deferAfterMs ?? 0, answerWindowMs);
  warnPast('timeout', timeoutMs, deferredWindowMs);
  rememberName(exports['default'], name);
  const command: Command = {
    name,
    file,
    spec,
    wire: { name, description: String(description), options: toWireOptions(spec) },
    deferAfterMs,
    timeoutMs,
    settings: written,
    throttles: [...input.throttles, ...throttlesOf(`/${name}`, settings)],
    middleware,
    errorHandlers,
    run,
    // Node.js 20 adds members to a copy 100 times as slowly.
    ...settings,
    intents: [
      ...settings.intents,
      ...(messages ? (['SERVER_MESSAGES'] as const) : []),
      ...(typeof tool === 'object' ? [intentOfAnswers('confirm')] : []),
      ...input.intents,
    ],
  };
  warnOfAuthor(command, input);
  return command;
}

const isByAuthor = ({ cooldown }: Throttle): boolean => cooldown?.by === 'author';
const BY_AUTHOR = /\bby: ?['"]author['"]/;
/** Functions that find what needs an author, each with the setting that a warning points at, also if a folder has the limit. */
const AUTHOR_NEEDS: readonly (readonly [string, string, (command: Command) => unknown])[] = [
  ['cooldown', "cooldown.by: 'author'", ({ throttles }) => throttles.some(isByAuthor)],
  ['run', 'requireAuthor()', ({ middleware, run }) => [...middleware, run].some(needsAuthor)],
  ['options', "default: 'author'", ({ spec }) => spec.options.some(({ isAuthor }) => isAuthor)],
  ['run', "by: 'author'", ({ run }) => BY_AUTHOR.test(Function.prototype.toString.call(run))],
];

/** Warns of a command that needs an author, whom no slash command and no language model has. */
function warnOfAuthor(command: Command, input: RouteInput<CommandRoute>): void {
  const { profile, report, warnings } = input;
  const { name, messages, tool } = command;
  const isKnown = messages || profile.commandUser !== 'absent';
  // A model states the user of an option, and confirms nothing.
  const needs = isKnown ? AUTHOR_NEEDS.slice(0, tool ? 2 : 0) : AUTHOR_NEEDS;
  const found = needs.find(([, , applies]) => applies(command));
  if (!found) return;
  const [key, part] = found;
  const details = { owner: `/${name}`, part, isTool: Boolean(isKnown) };
  const location = report.locate(isKnown ? 'tool' : key);
  warnings.push(runtimeErrors.E_AUTHOR_UNKNOWN(details, { location }));
}

export const throttlesOf = (
  name: string,
  { cooldown, concurrency }: z.output<typeof throttleSettings>,
): readonly Throttle[] => (cooldown || concurrency ? [{ name, cooldown, concurrency }] : []);

/** Converts the exports of a file to one object. Reports a missing handler, and returns `null` then. */
function readDefinition(exports: ModuleExports, report: SettingReport): Definition | null {
  const main = exports['default'];
  if (typeof main !== 'function' || isClass(main)) {
    if (!isRecord(main)) report.unknownExports(exports, EXPORT_NAMES);
    return report.definition(main, exports, DEFINITION_KEYS, [
      'a default export made by defineCommand, or a function',
      "defineCommand({ description: '…', run: (ctx) => '…' })",
    ]);
  }
  report.unknownExports(exports, EXPORT_NAMES);
  const given = exports['config'] ?? {};
  if (!isRecord(given))
    report.refuse('config', "an object of settings, such as { timeout: '30s' }", given);
  const config = isRecord(given) ? given : {};
  report.unknownKeys(Object.keys(config), SETTINGS);
  const { description, options } = exports;
  return { ...config, description, options, run: main as never };
}
