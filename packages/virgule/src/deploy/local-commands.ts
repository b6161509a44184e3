import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SyncCommandItem } from '@virgule/core/protocol';
import { COMMAND_FOLDERS, wireCommands, type ResolvedConfig } from '@virgule/runtime/project';
import { MANIFEST_FILE, readBuiltManifest } from '../build/built-manifest.js';
import { createLoader } from '../loader/create-loader.js';
import { readSettings } from '../project/load-settings.js';
import { openProject, type OpenProjectOptions } from '../project/open-project.js';
import { ProjectProblems } from '../project/project-problems.js';
import { readSet } from './saved-sets.js';

export interface LocalCommands {
  readonly items: readonly SyncCommandItem[];
  /** Name of the source for people, such as `local commands`. */
  readonly called: string;
  /** Settings for reaching the platform, if the project has them. */
  readonly platform: Partial<
    Pick<ResolvedConfig, 'baseUrl' | 'gatewayUrl' | 'profile' | 'targets'>
  >;
  /** Names of the commands that belong to this project. @defaultValue all */
  readonly own?: readonly string[] | undefined;
  /** Id of the only application to which the set belongs. */
  readonly applicationId?: string | undefined;
  /** Returns the path of a command's file, relative to the project's root. */
  fileOf(name: string): string | undefined;
}

interface ReadLocalOptions extends Pick<OpenProjectOptions, 'env' | 'redact'> {
  /** Name or path of a saved set, used instead of the project's files. */
  readonly from?: string | undefined;
  /** True if a project without command files is accepted. */
  readonly allowEmpty?: boolean | undefined;
}

/**
 * Reads the commands of a project: from its files, from a saved set, or from its build in a folder without sources,
 * such as a machine to which only `dist/` was copied.
 *
 * @throws ProjectProblems when the files have problems, and the errors of reading a build or a saved set.
 */
export async function readLocalCommands(
  root: string,
  { from, allowEmpty = false, env, redact }: ReadLocalOptions = {},
): Promise<LocalCommands> {
  if (from !== undefined) return readSaved(root, from);
  if (!allowEmpty && isBuildAlone(root)) return readBuilt(root);
  const opening = openProject(root, createLoader({ root }).importModule, { env, redact });
  const { manifest, project, config, ...opened } = await opening;
  const problems = opened.problems.filter(
    ({ code }) => !allowEmpty || code !== 'E_NO_COMMANDS_FOLDER',
  );
  if (problems.length > 0) throw new ProjectProblems(problems);
  const items = wireCommands(project);
  return { items, called: 'local', platform: config, fileOf: filesIn(manifest.commands) };
}

const isBuildAlone = (root: string): boolean =>
  existsSync(join(root, MANIFEST_FILE)) &&
  !COMMAND_FOLDERS.some((folder) => existsSync(join(root, folder)));

async function readBuilt(root: string): Promise<LocalCommands> {
  const { registered, platform, commands } = await readBuiltManifest(root);
  return { items: registered, called: 'built', platform, fileOf: filesIn(commands) };
}

/** Reads a saved set. Loads only the settings, and ignores their problems: a rollback must work when the code is broken. */
async function readSaved(root: string, from: string): Promise<LocalCommands> {
  const set = await readSet(root, from);
  const { config } = await readSettings(root);
  return {
    items: set.commands,
    called: 'saved',
    platform: config,
    // Commands of unknown origin must not be deleted.
    own: set.own ?? [],
    applicationId: set.applicationId,
    fileOf: () => undefined,
  };
}

function filesIn(routes: readonly { readonly name: string; readonly file: string }[]) {
  const files = new Map(routes.map(({ name, file }) => [name, file]));
  return (name: string) => files.get(name);
}
