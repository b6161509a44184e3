import type { VirguleError } from '@virgule/core/errors';
import { INTENTS, type Intent } from '@virgule/core/protocol';
import type { z } from 'zod';
import type { ResolvedConfig } from '../config/read-config.js';
import type { EventErrorHandler, EventMiddleware } from '../define/define-event-middleware.js';
import type { ErrorHandler, Middleware } from '../define/define-middleware.js';
import type { CreateServices } from '../define/define-services.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { Manifest } from '../scan/scan.js';
import type { Wrapping } from '../scan/special-files.js';
import type { Task } from '../tasks/task.js';
import { aliasConflicts } from './aliases.js';
import { createImporter, type ImportModule, type ModuleExports } from './import-file.js';
import { isClass, SettingReport } from './setting-report.js';
import type { Command, EventListener, Project } from './project.js';
import { readCommand, throttlesOf } from './read-command.js';
import { readEvent } from './read-event.js';
import { readTask } from './read-task.js';
import { throttleSettings } from './settings-schema.js';

export interface LoadOptions {
  readonly importModule: ImportModule;
  /** Text of a file, so that errors can name a line. Without it they name the file. */
  readonly readSource?: ((file: string) => string | undefined) | undefined;
  /** The settings, from `loadConfig`. @defaultValue the default of each */
  readonly config?: ResolvedConfig | undefined;
}

export interface LoadResult {
  /** The part of the project that could be loaded. */
  readonly project: Project;
  /** Creates its services, if it has any. Not called yet. */
  readonly createServices: CreateServices | null;
  /** Why the rest could not be loaded, each naming its file, in the order of the files. */
  readonly problems: readonly VirguleError[];
  /** What works, but probably not as intended; in the same order. */
  readonly warnings: readonly VirguleError[];
}

/** A middleware or an error handler. */
interface Special {
  readonly run: unknown;
  /** Of a middleware for commands. */
  readonly limits?: z.output<typeof throttleSettings> | undefined;
}

/** Imports every file of a manifest and checks what it exports. Reports all problems, not just the first. */
export async function loadProject(manifest: Manifest, options: LoadOptions): Promise<LoadResult> {
  const problems: VirguleError[] = [];
  const report = (problem: VirguleError): void => void problems.push(problem);
  const warnings: VirguleError[] = [];
  const warn = (warning: VirguleError): void => void warnings.push(warning);
  const importFile = createImporter(options.importModule, report);

  const settingsOf = (file: string): SettingReport =>
    new SettingReport({ file, source: options.readSource?.(file) }, report);

  const specials = new Map<string, Promise<Special | null>>();
  /** Reads a special file once, however many routes it wraps. */
  const special = (file: string, isEvent: boolean): Promise<Special | null> => {
    const reading = specials.get(file) ?? readSpecial(file, isEvent);
    specials.set(file, reading);
    return reading;
  };
  async function readSpecial(file: string, isEvent: boolean): Promise<Special | null> {
    const exports = await importFile(file);
    if (!exports) return null;
    const main = exports['default'];
    const settings = settingsOf(file);
    if (typeof main !== 'function' || isClass(main)) {
      settings.noHandler(main, 'a default export that is a function', 'function (…) { … }');
      return null;
    }
    const given = (main as Middleware).settings ?? {};
    if (!isEvent) {
      settings.unknownKeys(Object.keys(given), Object.keys(throttleSettings.shape));
      return { run: main, limits: settings.read(throttleSettings, given) };
    }
    // A middleware for commands that was put among the events, where its limits would not hold.
    for (const [key, saw] of Object.entries(given))
      settings.refuse(key, 'removed, since events have no limits', saw);
    return { run: main };
  }

  /** Imports a route and what wraps it. */
  const wrapped = async <Guard, OnError>(
    route: { readonly file: string } & Wrapping,
    isEvent = false,
  ) => {
    const exports = await importFile(route.file);
    const read = (files: readonly string[]) =>
      Promise.all(files.map((file) => special(file, isEvent)));
    const middleware = await read(route.middleware);
    const errorHandlers = await read(route.errorHandlers);
    return {
      exports,
      // A file that could not be imported may be gone.
      source: exports ? options.readSource?.(route.file) : undefined,
      middleware: middleware.filter(isPresent).map(({ run }) => run as Guard),
      errorHandlers: errorHandlers.filter(isPresent).map(({ run }) => run as OnError),
      throttles: middleware.flatMap((guard, index) =>
        guard?.limits ? throttlesOf(route.middleware[index] ?? '', guard.limits) : [],
      ),
      /** Nothing runs without the guards of its folder. */
      isGuarded: [...middleware, ...errorHandlers].every(isPresent),
    };
  };
  const { intents: given = [], voice } = options.config ?? {};
  const intents: readonly Intent[] = voice ? [...given, 'SERVER_VOICE'] : given;

  const commands = await Promise.all(
    manifest.commands.map(async (route): Promise<Command | null> => {
      const { exports, isGuarded, ...rest } = await wrapped<Middleware, ErrorHandler>(route);
      if (!exports) return null;
      const { profile } = options.config ?? {};
      const command = readCommand({ route, exports, intents, profile, report, warn, ...rest });
      return isGuarded ? command : null;
    }),
  );
  const events = await Promise.all(
    manifest.events.map(async (route): Promise<EventListener | null> => {
      const { exports, isGuarded, ...rest } = await wrapped<EventMiddleware, EventErrorHandler>(
        route,
        true,
      );
      if (!exports) return null;
      const listener = readEvent({ route, exports, intents, report, ...rest });
      return isGuarded ? listener : null;
    }),
  );

  const tasks = await Promise.all(
    manifest.tasks.map(async (route): Promise<Task | null> => {
      const exports = await importFile(route.file);
      if (!exports) return null;
      return readTask({ route, exports, source: options.readSource?.(route.file), report });
    }),
  );

  const createServices = await loadServices(manifest.services, importFile, report);

  const project = {
    ...assemble(commands.filter(isPresent), events.filter(isPresent), intents),
    tasks: new Map(tasks.filter(isPresent).map((task) => [task.name, task])),
  };
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
  report: (problem: VirguleError) => void,
): Promise<CreateServices | null> {
  const exports = file === null ? null : await importFile(file);
  if (file === null || !exports) return null;
  const main = exports['default'];
  // Its result is checked when it runs.
  if (typeof main === 'function') return main as CreateServices;
  report(
    runtimeErrors.E_SERVICES_INVALID(
      {
        file,
        want: 'have a default export made by defineServices',
        saw: main === undefined ? 'none' : `a default export of type ${typeof main}`,
      },
      { location: { file } },
    ),
  );
  return null;
}

function assemble(
  commands: readonly Command[],
  listeners: readonly EventListener[],
  intents: readonly Intent[],
): Omit<Project, 'tasks'> {
  const events = new Map<string, EventListener[]>();
  for (const listener of listeners)
    events.set(listener.event, [...(events.get(listener.event) ?? []), listener]);
  const needed = new Set<Intent>(['APPLICATION_COMMANDS', ...intents]);
  for (const user of [...commands, ...listeners])
    for (const intent of user.intents) needed.add(intent);
  return {
    commands: new Map(commands.map((command) => [command.name, command])),
    events,
    intents: INTENTS.filter((intent) => needed.has(intent)),
  };
}

/** Removes duplicates: a broken tsconfig.json is reported for each file that it is for. */
function dedupe(problems: readonly VirguleError[]): VirguleError[] {
  const seen = new Set<string>();
  return problems.filter(({ location, message }) => {
    const key = `${location?.file} ${location?.line} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
}

const isPresent = <T>(value: T | null): value is T => value !== null;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byFile = (a: VirguleError, b: VirguleError): number =>
  compare(a.location?.file ?? '', b.location?.file ?? '');
