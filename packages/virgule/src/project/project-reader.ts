import { readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { VirguleError } from '@virgule/core/errors';
import type { CreateServices } from '@virgule/runtime';
import {
  checkEnv,
  configFileIn,
  listProjectFiles,
  loadConfig,
  loadProject,
  scan,
  type CheckedEnv,
  type CommandRoute,
  type EventRoute,
  type Manifest,
  type ModuleExports,
  type Project,
  type ResolvedConfig,
} from '@virgule/runtime/project';
import type { Loader } from '../loader/create-loader.js';
import { isSameProject, keepLastGood } from './keep-last-good.js';
import { presented } from './open-project.js';

export interface ReadProject {
  readonly manifest: Manifest;
  /** What is sound now; for what is not, the last version that was. */
  readonly project: Project;
  /** Everything that is not sound now, sorted by file. */
  readonly problems: readonly VirguleError[];
  /** Whether anything differs from what was read before. */
  readonly isNew: boolean;
}

/** What is read once, since a change of it needs a new process. */
export interface FirstRead extends ReadProject {
  readonly config: ResolvedConfig;
  readonly env: CheckedEnv;
  /** What makes the services, if it has any. It has not run. */
  readonly createServices: CreateServices | null;
  /** Whether settings, environment and services are sound: nothing can run without them. */
  readonly isRunnable: boolean;
}

/** Reads a project again and again, each time only what is new in it. */
export interface ProjectReader {
  /** Reads everything, the settings first, and checks the environment it is to run in. Comes before all else. */
  open(env: Readonly<Record<string, string | undefined>>): Promise<FirstRead>;
  /** @param changed - absolute paths of files that may have come, changed or gone since the last time. */
  read(changed: readonly string[]): Promise<ReadProject>;
}

export function createProjectReader(
  root: string,
  loader: Pick<Loader, 'importModule' | 'current' | 'textOf'>,
): ProjectReader {
  let files: ReadonlySet<string> | null = null;
  let scanned: ReturnType<typeof scan> = scan([]);
  /** The routes of `scanned`. With a thousand of them, making their keys anew for each change takes a while. */
  let commands: readonly KnownRoute<CommandRoute>[] = [];
  let events: readonly KnownRoute<EventRoute>[] = [];
  let config: ResolvedConfig | undefined;
  const sources = {
    importModule: (file: string): Promise<ModuleExports> => loader.importModule(join(root, file)),
    readSource: (file: string): string =>
      loader.textOf(join(root, file)) ?? readFileSync(join(root, file), 'utf8'),
  };
  let last: Project | undefined;
  /** What is wrong inside of files, as against their places. */
  let unsound: readonly VirguleError[] = [];
  /** What each route was read from the last time it was read. */
  const origins = new Map<string, readonly unknown[]>();

  /** Walks the folders again only when a file came or went. */
  async function list(changed: readonly string[]): Promise<void> {
    const known = files;
    const paths = changed.map((file) => relative(root, file).replaceAll(sep, '/'));
    if (known && paths.every((path) => known.has(path) === isFile(join(root, path)))) return;
    const listed = await listProjectFiles(root);
    files = new Set(listed);
    scanned = scan(listed, { separator: config?.separator });
    commands = scanned.manifest.commands.map((route) => knownRoute(route, root));
    events = scanned.manifest.events.map((route) => knownRoute(route, root));
    const keys = new Set([...commands, ...events].map(({ key }) => key));
    for (const key of origins.keys()) if (!keys.has(key)) origins.delete(key);
  }

  const originOf = ({ paths }: KnownRoute): unknown[] => paths.map((path) => loader.current(path));

  /** Whether a route is new, or anything it is made of, or was not there the last time. */
  function isStale({ key, paths }: KnownRoute): boolean {
    const before = origins.get(key);
    return !before || paths.some((path, n) => !before[n] || loader.current(path) !== before[n]);
  }

  /** What was not read again is as wrong as it was. */
  function stillUnsound(stale: readonly KnownRoute[]): readonly VirguleError[] {
    if (unsound.length === 0) return unsound;
    const readAgain = new Set(stale.flatMap(({ paths }) => paths));
    const inUse = new Set([...commands, ...events].flatMap(({ paths }) => paths));
    return unsound.filter(({ location }) => {
      // Some problems name their file from the root, some in full.
      const path = location && resolve(root, location.file);
      return path !== undefined && inUse.has(path) && !readAgain.has(path);
    });
  }

  /** @param services - the file of the services, when they are to be read. */
  async function readRoutes(services: string | null) {
    const { manifest, problems: misplaced } = scanned;
    const [staleCommands, staleEvents] = [commands.filter(isStale), events.filter(isStale)];
    const stale = [...staleCommands, ...staleEvents];
    const loaded = await loadProject(
      {
        ...manifest,
        commands: staleCommands.map(({ route }) => route),
        events: staleEvents.map(({ route }) => route),
        services,
      },
      { ...sources, config },
    );
    for (const known of stale) origins.set(known.key, originOf(known));
    const still = stillUnsound(stale);
    const before = last;
    last = keepLastGood(before, loaded.project, { manifest, misplaced });
    const isNew = !before || !isSameProject(before, last);
    // What was read and is not what answers has to be looked at again.
    for (const { route, key } of staleCommands) {
      if (last.commands.get(route.name) !== loaded.project.commands.get(route.name))
        origins.delete(key);
    }
    unsound = [...still, ...loaded.problems];
    const problems = [...misplaced, ...unsound];
    return { manifest, project: last, problems, isNew, createServices: loaded.createServices };
  }

  return {
    async open(env) {
      const own = await loadConfig(configFileIn(await listProjectFiles(root)), sources);
      config = own.config;
      await list([]);
      const { services, config: file } = scanned.manifest;
      const place = file === null ? undefined : { file, source: sources.readSource(file) };
      const checked = await checkEnv(config.env, env, place);
      const read = await readRoutes(services);
      const isServices = ({ location }: VirguleError): boolean =>
        location !== undefined &&
        services !== null &&
        resolve(root, location.file) === join(root, services);
      const setup = [...own.problems, ...checked.problems, ...read.problems.filter(isServices)];
      const problems = [...own.problems, ...checked.problems, ...read.problems];
      return {
        ...read,
        problems: presented(problems, root),
        config,
        env: checked,
        isRunnable: setup.length === 0 && (services === null || read.createServices !== null),
      };
    },
    async read(changed) {
      await list(changed);
      const read = await readRoutes(null);
      return { ...read, problems: presented(read.problems, root) };
    },
  };
}

/** A route with what it is compared by. */
interface KnownRoute<Route = unknown> {
  readonly route: Route;
  /** The same as long as the route is. */
  readonly key: string;
  /** Its files, absolute. */
  readonly paths: readonly string[];
}

const knownRoute = <Route extends CommandRoute | EventRoute>(
  route: Route,
  root: string,
): KnownRoute<Route> => ({
  route,
  key: JSON.stringify(route),
  paths: filesOf(route).map((file) => join(root, file)),
});

const filesOf = (route: CommandRoute | EventRoute): readonly string[] =>
  'middleware' in route ? [route.file, ...route.middleware, ...route.errorHandlers] : [route.file];

const isFile = (file: string): boolean =>
  statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
