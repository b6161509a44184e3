import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isVirguleError, redactError, type VirguleError } from '@virgule/core/errors';
import { createRedactor, type Redactor } from '@virgule/core/log';
import { compareText } from '@virgule/core/text';
import type { Config } from '@virgule/runtime';
import { secretsOf } from '@virgule/runtime/process';
import {
  checkEnv,
  COMMAND_FOLDERS,
  configFileIn,
  listProjectFiles,
  loadConfig,
  loadProject,
  readConfig,
  runtimeErrors,
  scan,
  type ImportModule,
  type ResolvedConfig,
  missingStorage,
} from '@virgule/runtime/project';
import { parentWith } from './parent-folder.js';
import { withFrame } from './with-frame.js';

export type OpenedProject = Awaited<ReturnType<typeof openProject>>;

export interface OpenProjectOptions {
  /** Settings that come before those of the project's file. */
  readonly config?: Config | undefined;
  /** The environment: the settings declare what of it is secret. @defaultValue empty */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Learns those secrets; problems and warnings are without them. @defaultValue one of its own */
  readonly redact?: Redactor | undefined;
}

/** Reads a project from disk: its settings, which files there are, and what they export. */
export async function openProject(
  root: string,
  importModule: ImportModule,
  { config: given = {}, env = {}, redact = createRedactor() }: OpenProjectOptions = {},
) {
  redact.set(secretsOf(env));
  const sources = sourcesIn(root, importModule);
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
  const all = [...before, ...problems];
  return {
    manifest,
    /** The valid settings. */
    config,
    ...loaded,
    /**
     * Whether settings, services and the names of files are valid, and the environment if it was checked: otherwise nothing
     * can run. A misspelled file may be a guard.
     */
    isRunnable: before.length === 0 && hasServices,
    /** All problems, sorted by file. */
    problems: presented(all, root, redact),
    /** What runs, but hardly as it was meant; sorted alike. */
    warnings: presented([...scanned.warnings, ...warnings, ...unstored], root, redact),
  };
}

/** Returns what imports and reads the files of a project by their path from its root. */
export const sourcesIn = (root: string, importModule: ImportModule) => ({
  importModule: (file: string) => importModule(join(root, file)),
  readSource: (file: string) => readFileSync(join(root, file), 'utf8'),
});

/** A project that is about to run: its environment is checked too. */
export type PreparedProject = Awaited<ReturnType<typeof prepareProject>>;

export interface PrepareOptions extends Omit<OpenProjectOptions, 'env'> {
  /** Whether a test set the whole environment: what is missing is added there. @defaultValue false */
  readonly isEnvOfTest?: boolean | undefined;
}

/** Reads a project, and checks the environment it is to run in. Problems of both are reported together. */
export async function prepareProject(
  root: string,
  importModule: ImportModule,
  env: Readonly<Record<string, string | undefined>>,
  { config, redact = createRedactor(), isEnvOfTest }: PrepareOptions = {},
) {
  const opened = await openProject(root, importModule, { config, env, redact });
  const file = opened.manifest.config;
  const place =
    file === null ? undefined : { file, source: readFileSync(join(root, file), 'utf8') };
  const checked = await checkEnv(opened.config.env, env, place, isEnvOfTest);
  redact.hide(checked.secrets);
  return {
    ...opened,
    env: checked,
    isRunnable: opened.isRunnable && checked.problems.length === 0,
    problems: presented([...opened.problems, ...checked.problems], root, redact),
  };
}

/** Returns problems as they are shown: with the lines around their places, without secrets, in the order of the files. */
export function presented(
  problems: readonly VirguleError[],
  root: string,
  redact: Redactor,
): VirguleError[] {
  return problems
    .map((problem) => redactError(withFrame(withParent(problem, root), root), redact))
    .sort(byPlace(root));
}

/** Names the parent folder that has the bot, if it was not found because this is a folder below it. */
function withParent(problem: VirguleError, root: string): VirguleError {
  if (!isVirguleError(problem, 'E_NO_COMMANDS_FOLDER')) return problem;
  const parent = parentWith(root, COMMAND_FOLDERS);
  if (parent === undefined) return problem;
  const { location } = problem;
  return runtimeErrors.E_NO_COMMANDS_FOLDER({ lookedFor: COMMAND_FOLDERS, parent }, { location });
}

function definedIn(config: ResolvedConfig): ResolvedConfig {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

/** Problems without a place are about the project as a whole and come first. */
export function byPlace(root: string) {
  // Some name their file from the root, some in full.
  const fileOf = ({ location }: VirguleError): string =>
    location ? relative(root, resolve(root, location.file)) : '';
  return (a: VirguleError, b: VirguleError): number =>
    compareText(fileOf(a), fileOf(b)) ||
    (a.location?.line ?? 0) - (b.location?.line ?? 0) ||
    (a.location?.column ?? 0) - (b.location?.column ?? 0) ||
    compareText(a.code, b.code);
}
