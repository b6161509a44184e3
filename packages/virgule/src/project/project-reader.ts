import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
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
  }

  const originOf = (route: CommandRoute | EventRoute): unknown[] =>
    filesOf(route).map((file) => loader.current(join(root, file)));

  /** Whether a route is new, or anything it is made of, or was not there the last time. */
  function isStale(route: CommandRoute | EventRoute): boolean {
    const before = origins.get(JSON.stringify(route));
    return !before || originOf(route).some((origin, n) => !origin || origin !== before[n]);
  }

  async function load(routes: Pick<Manifest, 'commands' | 'events' | 'services'>) {
    const loaded = await loadProject({ ...scanned.manifest, ...routes }, { ...sources, config });
    for (const route of [...routes.commands, ...routes.events])
      origins.set(JSON.stringify(route), originOf(route));
    return loaded;
  }

  /** @param services - the file of the services, when they are to be read. */
  async function readRoutes(services: string | null) {
    const { manifest, problems: misplaced } = scanned;
    const routes = [...manifest.commands, ...manifest.events];
    const keys = new Set(routes.map((route) => JSON.stringify(route)));
    for (const key of origins.keys()) if (!keys.has(key)) origins.delete(key);

    const commands = manifest.commands.filter(isStale);
    const events = manifest.events.filter(isStale);
    const loaded = await load({ commands, events, services });
    const stale = new Set([...commands, ...events].flatMap(filesOf));
    const inUse = new Set(routes.flatMap(filesOf));
    // What was not read again is as wrong as it was.
    const still = unsound.filter(({ location }) => {
      const file = location && pathFrom(root, location.file);
      return file !== undefined && inUse.has(file) && !stale.has(file);
    });
    const before = last;
    last = keepLastGood(before, loaded.project, { manifest, misplaced });
    const isNew = !before || !isSameProject(before, last);
    // What was read and is not what answers has to be looked at again.
    for (const route of commands) {
      if (last.commands.get(route.name) !== loaded.project.commands.get(route.name))
        origins.delete(JSON.stringify(route));
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
        location !== undefined && pathFrom(root, location.file) === services;
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

const filesOf = (route: CommandRoute | EventRoute): readonly string[] =>
  'middleware' in route ? [route.file, ...route.middleware, ...route.errorHandlers] : [route.file];

const isFile = (file: string): boolean =>
  statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

/** Some problems name their file from the root, some in full. */
const pathFrom = (root: string, file: string): string =>
  isAbsolute(file) ? relative(root, file).replaceAll(sep, '/') : file;
