import { readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { VirguleError } from '@virgule/core/errors';
import { createRedactor, type Redactor } from '@virgule/core/log';
import { secretsOf } from '@virgule/runtime/process';
import {
  aliasConflicts,
  checkEnv,
  configFileIn,
  listProjectFiles,
  loadConfig,
  loadProject,
  scan,
  type CommandRoute,
  type EventRoute,
  type TaskRoute,
  type Manifest,
  type Project,
  type ResolvedConfig,
} from '@virgule/runtime/project';
import type { Loader } from '../loader/create-loader.js';
import { isFile } from '../loader/read-source.js';
import { isSameProject, keepLastGood } from './keep-last-good.js';
import { presented, sourcesIn } from './open-project.js';

export interface ReadProject {
  readonly manifest: Manifest;
  /** The valid part, and the last working version of everything else. */
  readonly project: Project;
  /** All problems, sorted by file. */
  readonly problems: readonly VirguleError[];
  /** Whether anything differs from what was read before. */
  readonly isNew: boolean;
}

/** Reads a project again and again, each time only what is new in it. */
export type ProjectReader = ReturnType<typeof createProjectReader>;

/**
 * Creates a reader of a project.
 *
 * @param redact - learns the secrets of the environment; problems are without them.
 * @param onWarning - receives what runs, but hardly as it was meant, of each file that is read.
 */
export function createProjectReader(
  root: string,
  loader: Pick<Loader, 'importModule' | 'current' | 'textOf' | 'canonical'>,
  redact: Redactor = createRedactor(),
  onWarning: (warning: VirguleError) => void = () => {},
) {
  let files: ReadonlySet<string> | null = null;
  let scanned: ReturnType<typeof scan> = scan([]);
  /** The routes of `scanned`. */
  let routes: readonly KnownRoute[] = [];
  /** The same by their files. A change of one file must not cost a look at a thousand routes. */
  let routesOf: ReadonlyMap<string, readonly KnownRoute[]> = new Map();
  /** The path of each file of a route, from the root, with the one by which the loader knows it: some are links. */
  let ledTo: ReadonlyMap<string, string> = new Map();
  /** Those still to be read: they are new or changed, or what was read of them is not what answers. */
  let unread: ReadonlySet<KnownRoute> = new Set();
  let config: ResolvedConfig | undefined;
  const sources = {
    ...sourcesIn(root, loader.importModule),
    readSource: (file: string): string =>
      loader.textOf(join(root, file)) ?? readFileSync(join(root, file), 'utf8'),
  };
  let last: Project | undefined;
  /** What is wrong inside of files, as against their places. */
  let invalid: readonly VirguleError[] = [];

  const canonical = (file: string): string => loader.canonical(resolve(root, file));
  const knownRoute = (route: Route): KnownRoute => {
    const paths = filesOf(route).map(canonical);
    return { route, key: JSON.stringify([route, paths]), paths };
  };

  /** Returns whether the list of files contains a path, if there is a file. */
  function mayBeRead(path: string): boolean {
    const [top, ...others] = path.replace(/^src\//, '').split('/');
    return others.length === 0 || ['commands', 'events', 'tasks'].includes(top ?? '');
  }

  /** Walks the folders again only when a file came or went, or a link leads elsewhere. */
  async function list(changed: readonly string[]): Promise<void> {
    const known = files;
    const paths = changed.map((file) => relative(root, file).replaceAll(sep, '/'));
    const isListed = (path: string): boolean =>
      known?.has(path) === isFile(join(root, path)) &&
      (ledTo.get(path) ?? canonical(path)) === canonical(path);
    if (known && paths.every((path) => !mayBeRead(path) || isListed(path))) return;
    // When this fails, the next time walks again.
    files = null;
    const listed = await listProjectFiles(root);
    files = new Set(listed);
    scanned = scan(listed, { separator: config?.separator });
    const { commands, events, tasks } = scanned.manifest;
    const read = new Set(routes.filter((each) => !unread.has(each)).map(({ key }) => key));
    routes = [...commands, ...events, ...tasks].map(knownRoute);
    unread = new Set(routes.filter(({ key }) => !read.has(key)));
    routesOf = byPath(routes);
    ledTo = new Map(
      routes.flatMap(({ route, paths }) =>
        filesOf(route).map((file, index) => [file, paths[index] ?? file] as const),
      ),
    );
  }

  /** Returns the problems of what was not read again, which remain. */
  function stillInvalid(stale: readonly KnownRoute[]): readonly VirguleError[] {
    if (invalid.length === 0) return invalid;
    const readAgain = new Set(stale.flatMap(({ paths }) => paths));
    return invalid.filter(({ location }) => {
      // Some problems name their file from the root, some in full.
      const path = location && canonical(location.file);
      return path !== undefined && routesOf.has(path) && !readAgain.has(path);
    });
  }

  /**
   * Reads routes.
   *
   * @param services - the file of the services, when they are to be read.
   */
  async function readRoutes(services: string | null) {
    const { manifest, problems: misplaced } = scanned;
    const stale = [...unread];
    const staleRoutes = new Set(stale.map(({ route }) => route));
    const isStale = (route: Route): boolean => staleRoutes.has(route);
    const loaded = await loadProject(
      {
        ...manifest,
        commands: manifest.commands.filter(isStale),
        events: manifest.events.filter(isStale),
        tasks: manifest.tasks.filter(isStale),
        services,
      },
      { ...sources, config },
    );
    presented(loaded.warnings, root, redact).forEach(onWarning);
    const still = stillInvalid(stale);
    const before = last;
    last = keepLastGood(before, loaded.project, manifest, misplaced);
    const isNew = !before || !isSameProject(before, last);
    const { commands } = last;
    const answers = ({ route, paths }: KnownRoute): boolean =>
      paths.every((path) => loader.current(path)) &&
      (!isCommand(route) || commands.get(route.name) === loaded.project.commands.get(route.name));
    unread = new Set(stale.filter((known) => !answers(known)));
    // Whether names conflict depends on all commands, not on those that were read.
    invalid = [...still, ...loaded.problems.filter((problem) => !isAliasConflict(problem))];
    const problems = [...misplaced, ...invalid, ...aliasConflicts(commands)];
    return { manifest, project: last, problems, isNew, createServices: loaded.createServices };
  }

  return {
    /** Reads everything, the settings first, and checks the environment it is to run in. Comes before all else. */
    async open(env: Readonly<Record<string, string | undefined>>) {
      const own = await loadConfig(configFileIn(await listProjectFiles(root)), sources);
      config = own.config;
      redact.set(secretsOf(env, own));
      await list([]);
      const { services, config: file } = scanned.manifest;
      const place = file === null ? undefined : { file, source: sources.readSource(file) };
      const checked = await checkEnv(config.env, env, place);
      redact.hide(checked.secrets);
      const read = await readRoutes(services);
      const setup = [...own.problems, ...checked.problems];
      return {
        ...read,
        problems: presented([...setup, ...read.problems], root, redact),
        config,
        env: checked,
        /** Whether settings, environment and services are valid: otherwise nothing can run. */
        isRunnable: setup.length === 0 && (services === null || read.createServices !== null),
      };
    },
    /**
     * Reads what changed.
     *
     * @param changed - absolute paths of files that may have been added, changed or deleted since the last call.
     * @param evaluated - the files that the loader has evaluated again since, with their importers.
     */
    async read(changed: readonly string[], evaluated: readonly string[]): Promise<ReadProject> {
      // Before anything can fail: the loader reports it once. A file that was gone when the loader looked is
      // no longer in its graph, so no later save of it is evaluated, even if it is back by now.
      const lost = changed.map(canonical).filter((path) => !loader.current(path));
      const paths = [...evaluated, ...lost];
      unread = new Set([...unread, ...paths.flatMap((path) => routesOf.get(path) ?? [])]);
      await list(changed);
      const read = await readRoutes(null);
      return { ...read, problems: presented(read.problems, root, redact) };
    },
  };
}

type Route = CommandRoute | EventRoute | TaskRoute;

interface KnownRoute {
  readonly route: Route;
  /** The same as long as the route and its paths are. */
  readonly key: string;
  /** Its files, absolute, as the loader knows them. */
  readonly paths: readonly string[];
}

const isCommand = (route: Route): route is CommandRoute => 'middleware' in route && 'name' in route;

function byPath(routes: readonly KnownRoute[]): ReadonlyMap<string, readonly KnownRoute[]> {
  const found = new Map<string, KnownRoute[]>();
  for (const known of routes) {
    for (const path of known.paths) {
      const sharing = found.get(path);
      if (sharing) sharing.push(known);
      else found.set(path, [known]);
    }
  }
  return found;
}

const filesOf = (route: Route): readonly string[] =>
  'middleware' in route ? [route.file, ...route.middleware, ...route.errorHandlers] : [route.file];

const isAliasConflict = ({ code, details }: VirguleError): boolean =>
  code === 'E_COMMAND_CONFLICT' && details['kind'] === 'alias';
