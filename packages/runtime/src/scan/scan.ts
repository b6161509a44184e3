import type { VirguleError } from '@virgule/core/errors';
import { compareText } from '@virgule/core/text';
import { scanErrors } from '../errors/scan-errors.js';
import { eventRoutes, type EventRoute } from './event-routes.js';
import { commandRoutes, taskRoutes, type CommandRoute, type TaskRoute } from './named-routes.js';
import { fileConflict, onePerKey } from './one-file.js';
import { normalizePath, normalizePaths, sourceFilesIn, type SourceFile } from './project-paths.js';

/** The routes of a project. Commands and tasks are sorted by name, events by name and file. */
export interface Manifest {
  readonly commands: readonly CommandRoute[];
  readonly events: readonly EventRoute[];
  readonly tasks: readonly TaskRoute[];
  readonly services: string | null;
  readonly config: string | null;
}

/** Returns the file with the settings of a project; the first file if there are several. */
export const configFileIn = (files: readonly string[]): string | null =>
  normalizePaths(files).find((path) => CONFIG_FILE.test(path)) ?? null;

/** Returns whether a path, relative to the root of the project, is the file of the settings. */
export const isConfigFile = (path: string): boolean => CONFIG_FILE.test(normalizePath(path));
/** Returns whether a path, relative to the root of the project, is the file of the services. */
export const isServicesFile = (path: string): boolean => SERVICES_FILE.test(normalizePath(path));

export const COMMAND_FOLDERS = ['commands', 'src/commands'];
export const EVENT_FOLDERS = ['events', 'src/events'];
export const TASK_FOLDERS = ['tasks', 'src/tasks'];
const CONFIG_FILE = /^virgule\.config\.(?:[cm]?js|m?ts)$/;
const SERVICES_FILE = /^(?:src\/)?services\.[cm]?[jt]s$/;
/** Pattern of a special file without effect: next to the folders of commands and events, or below `tasks/`. */
const UNUSED_SPECIAL_FILE =
  /^(?:src\/)?(?:tasks\/(?:.+\/)?)?_(?:middleware|error)\.(?:[cm]?[jt]s|[jt]sx)$/;

/**
 * Reads the routes of a project from the paths of its files, relative to the root of the project and with either
 * kind of slash. Does not access the disk.
 */
export function scan(
  files: readonly string[],
  { separator = '-' }: { readonly separator?: string | undefined } = {},
) {
  const paths = normalizePaths(files);
  const problems: VirguleError[] = [];

  const pickFile = (what: string, pattern: RegExp): string | null => {
    const files = paths.filter((path) => pattern.test(path)).map((file) => ({ file }));
    const conflictOf = fileConflict(() => what);
    return onePerKey(files, () => what, conflictOf, problems)[0]?.file ?? null;
  };
  /** Reads the routes in the first of the folders that contains files. */
  const routesIn = <Route>(
    folders: readonly string[],
    read: (files: readonly SourceFile[], problems: VirguleError[]) => readonly Route[],
  ) => {
    const folder = pickFolder(folders, paths, problems);
    const files = folder === null ? [] : sourceFilesIn(folder, paths);
    const found: VirguleError[] = [];
    const routes = read(files, found);
    problems.push(...found);
    reportCollisions(files, problems);
    return { folder, routes, isEmpty: routes.length + found.length === 0 };
  };
  const commands = routesIn(COMMAND_FOLDERS, (...args) => commandRoutes(...args, separator));
  const events = routesIn(EVENT_FOLDERS, eventRoutes);
  const tasks = routesIn(TASK_FOLDERS, taskRoutes);

  const { folder } = commands;
  const warnings = paths
    .filter((path) => UNUSED_SPECIAL_FILE.test(path))
    .map((file) => scanErrors.E_FILE_NAME({ kind: 'special', file }, { location: { file } }));
  // A bot may have no commands, but then a folder of events or tasks must show that this is its project.
  if (folder === null && events.folder === null && tasks.folder === null) {
    problems.push(scanErrors.E_NO_COMMANDS_FOLDER({}, { location: { file: 'commands' } }));
  } else if (folder !== null && commands.isEmpty) {
    warnings.push(scanErrors.E_NO_COMMANDS({ folder }, { location: { file: folder } }));
  }

  return {
    /** Files and folders that do not prevent a start, but are probably not intended. */
    warnings,
    /** Valid routes; if two files define the same route, only the first file. */
    manifest: {
      commands: commands.routes,
      events: events.routes,
      tasks: tasks.routes,
      services: pickFile('the services', SERVICES_FILE),
      config: pickFile('the configuration', CONFIG_FILE),
    },
    /** Problems, sorted by file. */
    problems: problems.sort(
      (a, b) =>
        compareText(a.location?.file ?? '', b.location?.file ?? '') ||
        compareText(a.code, b.code) ||
        compareText(a.message, b.message),
    ),
  };
}

/** Returns the first of the folders that contains files. Reports another folder with source files as a problem. */
function pickFolder(
  folders: readonly string[],
  paths: readonly string[],
  problems: VirguleError[],
): string | null {
  const used = folders.find((folder) => paths.some((path) => path.startsWith(`${folder}/`)));
  if (used === undefined) return null;
  for (const ignored of folders) {
    const [file] = ignored === used ? [] : sourceFilesIn(ignored, paths);
    if (file === undefined) continue;
    const context = { location: { file: file.file } };
    problems.push(scanErrors.E_FILE_CONFLICT({ kind: 'folder', used, ignored }, context));
  }
  return used;
}

/** Reports folders and files whose paths differ only in upper and lower case: macOS and Windows treat them as the same path. */
function reportCollisions(files: readonly SourceFile[], problems: VirguleError[]): void {
  const firstByKey = new Map<string, string>();
  const paths = files.flatMap(({ file }) =>
    file.split('/').map((_, index, names) => names.slice(0, index + 1).join('/')),
  );
  for (const path of new Set(paths)) {
    const key = path.normalize('NFC').toLowerCase();
    const first = firstByKey.get(key);
    if (first === undefined) firstByKey.set(key, path);
    else {
      const context = { location: { file: path } };
      problems.push(scanErrors.E_FILE_CONFLICT({ kind: 'case', paths: [first, path] }, context));
    }
  }
}
