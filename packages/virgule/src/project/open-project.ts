import { join } from 'node:path';
import { createRedactor, type Redactor } from '@virgule/core/log';
import { definedIn } from '@virgule/core/objects';
import type { Config } from '@virgule/runtime';
import {
  secretsOf,
  checkEnv,
  configFileIn,
  listProjectFiles,
  loadConfig,
  loadProject,
  readConfig,
  scan,
  type ImportModule,
  missingStorage,
} from '@virgule/runtime/project';
import { readSource } from '../loader/read-source.js';
import { presented } from './presented-problems.js';

export type OpenedProject = Awaited<ReturnType<typeof openProject>>;

export interface OpenProjectOptions {
  /** Settings that override the settings of the project's file. */
  readonly config?: Config | undefined;
  /** Environment, whose secrets the settings declare. @defaultValue empty */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Receives the secrets, which are removed from problems and warnings. @defaultValue a new redactor */
  readonly redact?: Redactor | undefined;
  /** Reads the text of a file. @defaultValue from the disk */
  readonly readSource?: typeof readSource | undefined;
}

/** Reads a project from disk: its settings, its list of files, and their exports. */
export async function openProject(
  root: string,
  importModule: ImportModule,
  { config: given = {}, env = {}, redact = createRedactor(), readSource }: OpenProjectOptions = {},
) {
  redact.set(secretsOf(env));
  const sources = sourcesIn(root, importModule, readSource);
  const files = await listProjectFiles(root);
  const own = await loadConfig(configFileIn(files), sources);
  const first = readConfig(given, { file: 'the given config' });
  const config = { ...own.config, ...definedIn(first.config) };
  redact.set(secretsOf(env, { config, problems: own.problems }));
  const scanned = scan(files, { separator: config.separator });
  const { manifest } = scanned;
  const { problems, warnings, ...loaded } = await loadProject(manifest, { ...sources, config });
  const unstored = await missingStorage(manifest, config);
  const before = [...own.problems, ...first.problems, ...scanned.problems];
  const hasServices = manifest.services === null || loaded.createServices !== null;
  return {
    manifest,
    /** Valid settings. */
    config,
    ...loaded,
    /**
     * True if a part can run: settings, services, file names and environment are valid. A misspelled file may be a
     * guard.
     */
    isRunnable: before.length === 0 && hasServices,
    /** All problems, sorted by file. */
    problems: presented([...before, ...problems], root, redact),
    /** Warnings about code that runs, but probably not as intended; sorted by file. */
    warnings: presented([...scanned.warnings, ...warnings, ...unstored], root, redact),
  };
}

/** Returns functions that import and read the files of a project by their path relative to its root. */
export const sourcesIn = (root: string, importModule: ImportModule, read = readSource) => ({
  importModule: (file: string) => importModule(join(root, file)),
  readSource: (file: string) => read(join(root, file)),
});

/** Project that is about to run, with a checked environment. */
export type PreparedProject = Awaited<ReturnType<typeof prepareProject>>;

/** Reads a project, and checks its environment. Reports the problems of both together. */
export async function prepareProject(
  root: string,
  importModule: ImportModule,
  env: Readonly<Record<string, string | undefined>>,
  options: Omit<OpenProjectOptions, 'env'> = {},
) {
  const { redact = createRedactor(), readSource: read = readSource } = options;
  const opened = await openProject(root, importModule, { ...options, env, redact });
  const file = opened.manifest.config;
  const place = file === null ? undefined : { file, source: read(join(root, file)) };
  const checked = await checkEnv(opened.config.env, env, place);
  redact.hide(checked.secrets);
  return {
    ...opened,
    env: checked,
    isRunnable: opened.isRunnable && checked.problems.length === 0,
    problems: presented([...opened.problems, ...checked.problems], root, redact),
  };
}
