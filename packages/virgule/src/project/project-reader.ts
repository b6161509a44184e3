import { readFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { VirguleError } from '@virgule/core/errors';
import { createRedactor, type Redactor } from '@virgule/core/log';
import { INTENTS } from '@virgule/core/protocol';
import {
  secretsOf,
  aliasConflicts,
  checkEnv,
  configFileIn,
  listProjectFiles,
  loadConfig,
  loadProject,
  scan,
  type CommandRoute,
  type EventListener,
  type EventRoute,
  type TaskRoute,
  type Manifest,
  type Project,
  type ResolvedConfig,
} from '@virgule/runtime/project';
import type { Loader } from '../loader/create-loader.js';
import { isFile } from '../loader/read-source.js';
import { presented } from './presented-problems.js';
import { writeTypes } from './write-types.js';

/** Reader that reads a project repeatedly, each time only its changed files, and keeps its declared types current. */
export type ProjectReader = ReturnType<typeof createProjectReader>;

/**
 * Creates a reader of a project.
 * @param redact - receives the secrets.
 * @param onWarning - receives the warnings of files that are read.
 */
export function createProjectReader(
  root: string,
  loader: Pick<Loader, 'importModule' | 'current' | 'textOf' | 'canonical'>,
  redact: Redactor = createRedactor(),
  onWarning: (warning: VirguleError) => void = () => {},
) {
  let files: ReadonlySet<string> | null = null;
  /** True if the folders were listed since the last read. */
  let isListed = false;
  let scanned: ReturnType<typeof scan> = scan([]);
  /** Routes of `scanned`. */
  let routes: readonly KnownRoute[] = [];
  /** Routes by file, so that a change of one file needs no search through a thousand routes. */
  let routesOf: ReadonlyMap<string, readonly KnownRoute[]> = new Map();
  /** Canonical paths of the files of routes, by path relative to the root: some files are links. */
  let ledTo: ReadonlyMap<string, string> = new Map();
  /** Routes that the next read includes: new, changed and invalid ones. */
  let unread: ReadonlySet<KnownRoute> = new Set();
  let config: ResolvedConfig | undefined;
  // A link may have a new target. A save may read a hundred files that are no links.
  const pathOf = (file: string): string =>
    ledTo.get(file) === root + sep + file ? root + sep + file : canonical(file);
  const sources = {
    importModule: (file: string) => loader.importModule(pathOf(file)),
    readSource: (file: string): string =>
      loader.textOf(pathOf(file)) ?? readFileSync(pathOf(file), 'utf8'),
  };
  let last: Project | undefined;
  /** Warnings of the last read. */
  let warned: ReadonlySet<string> = new Set();

  const canonical = (file: string): string => loader.canonical(resolve(root, file));
  const knownRoute = (route: Route): KnownRoute => {
    const paths = filesOf(route).map(canonical);
    return { route, key: JSON.stringify([route, paths]), paths };
  };

  /** Returns whether a path, if the file exists, belongs to the list of files. */
  function mayBeRead(path: string): boolean {
    const [top, ...others] = path.replace(/^src\//, '').split('/');
    return others.length === 0 || ['commands', 'events', 'tasks'].includes(top ?? '');
  }

  /** Lists the folders again only when a file was added or deleted, or a link has a new target. */
  async function list(changed: ReadonlyMap<string, string>): Promise<void> {
    const known = files;
    const isKnown = ([file, canonicalPath]: readonly [string, string]): boolean => {
      const path = relative(root, file).replaceAll(sep, '/');
      if (!mayBeRead(path)) return true;
      return (
        known?.has(path) === isFile(file) && (ledTo.get(path) ?? canonicalPath) === canonicalPath
      );
    };
    if (known && [...changed].every(isKnown)) return;
    // Makes the next call list again if this one fails.
    files = null;
    const listed = await listProjectFiles(root);
    files = new Set(listed);
    isListed = true;
    scanned = scan(listed, { separator: config?.separator });
    const unwritten = writeTypes(root, scanned.manifest);
    if (unwritten) onWarning(unwritten);
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

  /** Reads routes. @param services - file of the services; `null` if they are not to be read. */
  async function readRoutes(services: string | null) {
    const { manifest, problems: misplaced } = scanned;
    const stale = Array.from(unread, ({ route }) => route);
    const loaded = await loadProject(
      {
        ...manifest,
        commands: stale.filter(isCommand),
        events: stale.filter(isEvent),
        tasks: stale.filter(isTask),
        services,
      },
      { ...sources, config },
    );
    const warnings = presented(loaded.warnings, root, redact);
    // An invalid file is read again with each change of another file.
    for (const warning of warnings) if (!warned.has(textOf(warning))) onWarning(warning);
    warned = new Set(warnings.map(textOf));
    const before = last;
    last = before ? keepLastGood(before, loaded.project, scanned, isListed) : loaded.project;
    isListed = false;
    const isNew = !before || !isSameProject(before, last);
    const { commands } = last;
    // The file of a problem is relative to the root, or absolute.
    const invalid = new Set(
      loaded.problems.flatMap(({ location }) => (location ? canonical(location.file) : [])),
    );
    const isActive = ({ route, paths }: KnownRoute): boolean =>
      paths.every((path) => loader.current(path) && !invalid.has(path)) &&
      (!isCommand(route) || commands.get(route.name) === loaded.project.commands.get(route.name));
    unread = new Set([...unread].filter((known) => !isActive(known)));
    // Conflicts of names depend on all commands, not only on the commands of this read.
    const others = loaded.problems.filter((problem) => !isAliasConflict(problem));
    const problems = [...misplaced, ...others, ...aliasConflicts(commands)];
    return { manifest, project: last, problems, isNew, createServices: loaded.createServices };
  }

  return {
    /** Reads the whole project, beginning with its settings, and checks the environment. Called before `read`. */
    async open(env: Readonly<Record<string, string | undefined>>) {
      const own = await loadConfig(configFileIn(await listProjectFiles(root)), sources);
      config = own.config;
      redact.set(secretsOf(env, own));
      await list(new Map());
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
        /** True if settings, environment and services are valid; otherwise no part can run. */
        isRunnable: setup.length === 0 && (services === null || read.createServices !== null),
      };
    },
    /**
     * Reads the changes since the last call: files that may differ, by absolute path, and files that the loader
     * evaluated. Resolves to the valid part, completed by the last working version of all invalid parts, with all problems,
     * sorted by file, and whether any part differs from the previous read.
     */
    async read(changed: readonly string[], evaluated: readonly string[]) {
      // Computed before any step can fail, because the loader reports an evaluation once. A file that did not exist
      // when the loader read it is no longer in the graph, so no later save of it is evaluated, even if it exists
      // again.
      const canonicalPaths = new Map(changed.map((file) => [file, canonical(file)]));
      const lost = [...canonicalPaths.values()].filter((path) => !loader.current(path));
      const paths = [...evaluated, ...lost];
      unread = new Set([...unread, ...paths.flatMap((path) => routesOf.get(path) ?? [])]);
      await list(canonicalPaths);
      const read = await readRoutes(null);
      return { ...read, problems: presented(read.problems, root, redact) };
    },
  };
}

type Route = CommandRoute | EventRoute | TaskRoute;

interface KnownRoute {
  readonly route: Route;
  /** Key that changes with the route or its paths. */
  readonly key: string;
  /** Absolute paths of the files, as known to the loader. */
  readonly paths: readonly string[];
}

const isEvent = (route: Route): route is EventRoute => 'event' in route;
const isCommand = (route: Route): route is CommandRoute => 'middleware' in route && !isEvent(route);
const isTask = (route: Route): route is TaskRoute => !('middleware' in route);

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

const textOf = ({ code, location }: VirguleError): string => JSON.stringify([code, location]);

const isAliasConflict = ({ code, details }: VirguleError): boolean =>
  code === 'E_COMMAND_CONFLICT' && details['kind'] === 'alias';

/** Merges a new read with the previous project: what was not read, or is invalid, keeps its previous version. */
function keepLastGood(
  before: Project,
  now: Project,
  { manifest, problems }: ReturnType<typeof scan>,
  isListed: boolean,
): Project {
  /** Returns the new parts, else the previous ones, in the order of their routes. */
  function merge<Part extends { readonly name: string }>(
    parts: ReadonlyMap<string, Part>,
    newer: readonly Part[],
    routes: readonly { readonly name: string }[],
  ): ReadonlyMap<string, Part> {
    const merged = new Map(parts);
    for (const part of newer) merged.set(part.name, part);
    // A save of a file seldom changes the names: a search through all routes would take longer than all else.
    if (!isListed && merged.size === parts.size) return merged;
    const found = routes.flatMap(({ name }) => merged.get(name) ?? []);
    return new Map(found.map((part) => [part.name, part]));
  }
  const contested = new Set(problems.flatMap(claimants));
  const accepted = [...now.commands.values()].filter(
    ({ name }) => !contested.has(before.commands.get(name)?.file),
  );
  const isFolderGone = problems.some(({ code }) => code === 'E_NO_COMMANDS_FOLDER');
  const needed = new Set([...before.intents, ...now.intents]);
  return {
    ...now,
    // A missing folder is most likely being moved, so its commands stay.
    commands: isFolderGone ? before.commands : merge(before.commands, accepted, manifest.commands),
    events: listenersOf(before, now, manifest),
    tasks: merge(before.tasks, [...now.tasks.values()], manifest.tasks),
    intents: INTENTS.filter((intent) => needed.has(intent)),
  };
}

/** Returns the files that claim one name, which stays with its previous file. */
function claimants({ code, details }: VirguleError): readonly unknown[] {
  const files = code === 'E_COMMAND_CONFLICT' ? details['files'] : undefined;
  return Array.isArray(files) ? files : [];
}

function listenersOf(before: Project, now: Project, manifest: Manifest) {
  const find = (project: Project, event: string, file: string): EventListener | undefined =>
    project.events.get(event)?.find((listener) => listener.file === file);
  const events = new Map<string, EventListener[]>();
  for (const { event, file } of manifest.events) {
    const listener = find(now, event, file) ?? find(before, event, file);
    if (listener) events.set(event, [...(events.get(event) ?? []), listener]);
  }
  return events;
}

/** Returns whether two projects have the same commands, event listeners and tasks, with the same code. */
function isSameProject(a: Project, b: Project): boolean {
  const partsOf = ({ commands, events, tasks }: Project): unknown[] => [
    ...commands.values(),
    ...[...events.values()].flat(),
    ...tasks.values(),
  ];
  const [before, now] = [partsOf(a), partsOf(b)];
  return before.length === now.length && before.every((part, index) => part === now[index]);
}
