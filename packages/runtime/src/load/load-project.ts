import type { VirguleError } from '@virgule/core/errors';
import { describeSeen, isRecord } from '@virgule/core/objects';
import { compareText } from '@virgule/core/text';
import { INTENTS, resolveProfile, type Intent } from '@virgule/core/protocol';
import type { ResolvedConfig } from '../config/read-config.js';
import type { Middleware } from '../command/define/define-middleware.js';
import type { CreateServices } from '../services/define-services.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { locateWholeZod } from '../options/locate-key.js';
import type { Manifest } from '../scan/scan.js';
import type { Wrapping } from '../scan/special-files.js';
import { intentOfAnswers, type Task } from '../tasks/task.js';
import { aliasConflicts, type Command } from '../command/define/command.js';
import { createImporter, type ImportOptions, type ModuleExports } from './import-file.js';
import { isClass, SettingReport, type RouteInput } from './setting-report.js';
import type { Project } from './project.js';
import type { EventListener } from '../events/event-listener.js';
import { readCommand, throttlesOf } from './read-command.js';
import { readEvent } from './read-event.js';
import { readTask } from './read-task.js';
import { throttleSettings } from './settings-schema.js';

export interface LoadOptions extends ImportOptions {
  /** Settings from `loadConfig`. @defaultValue the default of each setting */
  readonly config?: ResolvedConfig | undefined;
}

export interface LoadResult {
  /** The part of the project that could be loaded. */
  readonly project: Project;
  /** Function that creates the services, not called yet; `null` if the project has no services. */
  readonly createServices: CreateServices | null;
  /** Reasons why files could not be loaded, in the order of the files. Each problem names its file. */
  readonly problems: readonly VirguleError[];
  /** Warnings about code that works, but probably not as intended, in the order of the files. */
  readonly warnings: readonly VirguleError[];
}

/** Imports every file of a manifest and checks its exports. Reports all problems, not just the first. */
export async function loadProject(manifest: Manifest, options: LoadOptions): Promise<LoadResult> {
  const problems: VirguleError[] = [];
  const warnings: VirguleError[] = [];
  const importFile = createImporter(options.importModule, problems);
  const { intents: given = [], voice } = options.config ?? {};
  const profile = resolveProfile(options.config?.profile);
  const intents: readonly Intent[] = voice ? [...given, 'SERVER_VOICE'] : given;

  /** Returns the report on a file. Call it only for an imported file, since a file that failed may be missing. */
  const reportOn = (file: string): SettingReport =>
    new SettingReport({ file, source: options.readSource?.(file) }, problems);

  const specials = new Map<string, ReturnType<typeof readSpecial>>();
  /** Reads a special file once for all routes that it wraps. */
  const special = (file: string, isEvent: boolean) => {
    const reading = specials.get(file) ?? readSpecial(file, isEvent);
    specials.set(file, reading);
    return reading;
  };
  /** Reads an error handler, or a middleware with its limits for commands. */
  async function readSpecial(file: string, isEvent: boolean) {
    const exports = await importFile(file);
    if (!exports) return null;
    const main = exports['default'];
    const settings = reportOn(file);
    if (typeof main !== 'function' || isClass(main)) {
      const form = /(?:^|\/)_error\./.test(file)
        ? "defineErrorHandler((error, ctx) => '…')"
        : 'defineMiddleware(async (ctx, next) => next())';
      settings.noHandler(main, 'a default export that is a function', form);
      return null;
    }
    // The type of the function depends on the routes that it wraps.
    const run = main as never;
    const given: unknown = (main as Middleware).settings ?? {};
    if (!isRecord(given)) {
      settings.refuse('settings', "an object, such as { cooldown: '5s' }", given);
      return null;
    }
    if (!isEvent) {
      settings.unknownKeys(Object.keys(given), Object.keys(throttleSettings.shape));
      const limits = settings.read(throttleSettings, given);
      return settings.isValid ? { run, limits } : null;
    }
    // A middleware for commands among the events: limits would have no effect there.
    for (const [key, saw] of Object.entries(given))
      settings.refuse(key, 'removed, since events have no limits', saw, `Remove ${key}.`);
    return { run };
  }

  /** Imports each route and its special files. Reads the routes whose files were all imported. */
  async function readRoutes<Route extends { readonly file: string } & Partial<Wrapping>, Part>(
    routes: readonly Route[],
    read: (input: RouteInput<Route>) => Part | null | Promise<Part | null>,
    isEvent = false,
  ): Promise<Part[]> {
    const parts = routes.map(async (route) => {
      const specialsOf = (files: readonly string[] = []) =>
        Promise.all(files.map((file) => special(file, isEvent)));
      const exports = await importFile(route.file);
      const middleware = await specialsOf(route.middleware);
      const errorHandlers = await specialsOf(route.errorHandlers);
      if (!exports) return null;
      const report = reportOn(route.file);
      const location = locateWholeZod(report.where);
      if (location) warnings.push(runtimeErrors.E_ZOD_IMPORT({ file: route.file }, { location }));
      const part = await read({
        route,
        exports,
        intents,
        profile,
        warnings,
        report,
        middleware: middleware.filter(isPresent).map(({ run }) => run),
        errorHandlers: errorHandlers.filter(isPresent).map(({ run }) => run),
        throttles: middleware.flatMap((guard, index) =>
          guard?.limits ? throttlesOf(route.middleware?.[index] ?? '', guard.limits) : [],
        ),
      });
      // A route is dropped if a special file of its folders failed: a guard may be missing.
      return [...middleware, ...errorHandlers].every(isPresent) ? part : null;
    });
    return (await Promise.all(parts)).filter(isPresent);
  }

  const commands = await readRoutes(manifest.commands, readCommand);
  const events = await readRoutes(manifest.events, readEvent, true);
  const tasks = await readRoutes(manifest.tasks, readTask);
  const createServices = await loadServices(manifest.services, importFile, problems);

  const project = assemble(commands, events, tasks, intents);
  return {
    project,
    createServices,
    problems: dedupe([...problems, ...aliasConflicts(project.commands)]).sort(byFile),
    warnings: warnings.sort(byFile),
  };
}

async function loadServices(
  file: string | null,
  importFile: (file: string) => Promise<ModuleExports | null>,
  problems: VirguleError[],
): Promise<CreateServices | null> {
  const exports = file === null ? null : await importFile(file);
  if (file === null || !exports) return null;
  const main = exports['default'];
  // The result of the function is checked when it is called.
  if (typeof main === 'function' && !isClass(main)) return main as CreateServices;
  const want = 'have a default export made by defineServices';
  const saw = isClass(main) ? 'a class' : describeSeen(main);
  problems.push(runtimeErrors.E_SERVICES_INVALID({ file, want, saw }, { location: { file } }));
  return null;
}

function assemble(
  commands: readonly Command[],
  listeners: readonly EventListener[],
  tasks: readonly Task[],
  intents: readonly Intent[],
): Project {
  const events = new Map<string, EventListener[]>();
  for (const listener of listeners)
    events.set(listener.event, [...(events.get(listener.event) ?? []), listener]);
  const needed = new Set<Intent>(['APPLICATION_COMMANDS', ...intents]);
  for (const user of [...commands, ...listeners])
    for (const intent of user.intents) needed.add(intent);
  for (const { waits } of tasks) if (waits) needed.add(intentOfAnswers(waits));
  return {
    commands: new Map(commands.map((command) => [command.name, command])),
    events,
    tasks: new Map(tasks.map((task) => [task.name, task])),
    intents: INTENTS.filter((intent) => needed.has(intent)),
  };
}

/** Removes duplicates: a broken tsconfig.json is reported for each file that it applies to. */
function dedupe(problems: readonly VirguleError[]): VirguleError[] {
  const keyOf = ({ location, message }: VirguleError): string =>
    `${location?.file} ${location?.line} ${message}`;
  return [...new Map(problems.map((problem) => [keyOf(problem), problem])).values()];
}

const isPresent = <T>(value: T | null): value is T => value !== null;
const byFile = (a: VirguleError, b: VirguleError): number =>
  compareText(a.location?.file ?? '', b.location?.file ?? '');
