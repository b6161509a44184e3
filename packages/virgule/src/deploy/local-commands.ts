import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceLocation } from '@virgule/core/errors';
import type { SyncCommandItem } from '@virgule/core/protocol';
import {
  COMMAND_FOLDERS,
  configFileIn,
  listProjectFiles,
  loadConfig,
  locateKey,
  wireCommands,
  type ResolvedConfig,
} from '@virgule/runtime/project';
import { MANIFEST_FILE, readBuiltManifest } from '../build/built-manifest.js';
import { createLoader } from '../loader/create-loader.js';
import { openProject, type OpenProjectOptions } from '../project/open-project.js';
import { ProjectProblems } from '../project/project-problems.js';
import { readSet } from './saved-sets.js';

/** The set that is to be registered, and where it comes from. */
export interface LocalCommands {
  readonly items: readonly SyncCommandItem[];
  /** For people: `local commands`. */
  readonly called: string;
  /** How the platform is reached, as far as the project says. */
  readonly platform: Partial<
    Pick<ResolvedConfig, 'baseUrl' | 'gatewayUrl' | 'profile' | 'targets'>
  >;
  /** Which of them are this project's own. @defaultValue all */
  readonly own?: readonly string[] | undefined;
  /** The application that it belongs to and to no other. */
  readonly applicationId?: string | undefined;
  /** Returns the path of a command's file from the project's root. */
  fileOf(name: string): string | undefined;
  /** Returns the place of a key in a command's file: an option, or `description`. */
  locate(name: string, key: string | undefined): SourceLocation | undefined;
}

export interface ReadLocalOptions extends Pick<OpenProjectOptions, 'env' | 'redact'> {
  readonly root: string;
  /** A saved set instead of the project's files. */
  readonly from?: string | undefined;
  /** Whether the project may have no file of a command. */
  readonly allowEmpty?: boolean | undefined;
}

/**
 * Reads the commands of a project: from its files, from a set that was saved, or from its build in a folder that
 * has no sources, such as a machine to which only `dist/` was copied.
 *
 * @throws ProjectProblems when the files have problems, and what reading a build or a set throws.
 */
export async function readLocalCommands(options: ReadLocalOptions): Promise<LocalCommands> {
  const { root, from, allowEmpty = false, env, redact } = options;
  if (from !== undefined) return readSaved(root, from);
  if (!allowEmpty && isBuildAlone(root)) return readBuilt(root);
  const { manifest, project, config, ...opened } = await openProject(
    root,
    createLoader({ root }).importModule,
    { env, redact },
  );
  const problems = opened.problems.filter(
    ({ code }) => !allowEmpty || code !== 'E_NO_COMMANDS_FOLDER',
  );
  if (problems.length > 0) throw new ProjectProblems(problems);
  return {
    items: wireCommands(project),
    called: 'local',
    platform: config,
    ...findIn(root, manifest.commands),
  };
}

const isBuildAlone = (root: string): boolean =>
  existsSync(join(root, MANIFEST_FILE)) &&
  !COMMAND_FOLDERS.some((folder) => existsSync(join(root, folder)));

async function readBuilt(root: string): Promise<LocalCommands> {
  const { registered, platform, commands } = await readBuiltManifest(root);
  return {
    items: registered,
    called: 'built',
    platform,
    ...findIn(root, commands),
  };
}

/** Reads a saved set. The code is not loaded: a rollback has to work when it is broken. */
async function readSaved(root: string, from: string): Promise<LocalCommands> {
  const set = await readSet(root, from);
  const { importModule } = createLoader({ root });
  const file = configFileIn(await listProjectFiles(root));
  const { config } = await loadConfig(file, {
    importModule: (path) => importModule(join(root, path)),
  });
  return {
    items: set.commands,
    called: 'saved',
    platform: config,
    // What is not known to be ours is not ours to delete.
    own: set.own ?? [],
    applicationId: set.applicationId,
    fileOf: () => undefined,
    locate: () => undefined,
  };
}

function findIn(
  root: string,
  routes: readonly { readonly name: string; readonly file: string }[],
): Pick<LocalCommands, 'fileOf' | 'locate'> {
  const files = new Map(routes.map(({ name, file }) => [name, file]));
  return {
    fileOf: (name) => files.get(name),
    locate(name, key) {
      const file = files.get(name);
      if (file === undefined || key === undefined) return file === undefined ? undefined : { file };
      try {
        return locateKey({ file, source: readFileSync(join(root, file), 'utf8') }, key);
      } catch {
        // Where the bot is deployed from its build, the sources need not be.
        return { file };
      }
    },
  };
}
