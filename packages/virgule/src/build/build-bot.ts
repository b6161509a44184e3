import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { makeStateFolder, STATE_FOLDER } from '@virgule/core/fs';
import { bareAddress } from '@virgule/core/log';
import { wireCommands } from '@virgule/runtime/project';
import { cliErrors } from '../cli/cli-errors.js';
import { createLoader } from '../loader/create-loader.js';
import { openProject, type OpenProjectOptions } from '../project/open-project.js';
import { ProjectProblems } from '../project/project-problems.js';
import { nodeFiles, type BuildFiles } from './build-files.js';
import { describeBuild } from './built-manifest.js';
import { bundle } from './bundle.js';
import { checkTypes, type TypeCheck } from './check-types.js';
import { contentHash } from './content-hash.js';
import { replaceBuild } from './replace-build.js';

export interface BuildOptions extends Pick<OpenProjectOptions, 'env' | 'redact'> {
  /** The project's folder. */
  readonly root: string;
  /** Whether types are checked first. @defaultValue `true` */
  readonly types?: boolean | undefined;
  /** @defaultValue the disk of this machine */
  readonly files?: BuildFiles | undefined;
  /** Ends the check of the types. */
  readonly signal?: AbortSignal | undefined;
}

interface BuildResult {
  /** Path of `dist/bot.mjs`. */
  readonly file: string;
  readonly bytes: number;
  /** SHA-256 of `dist/bot.mjs`. */
  readonly hash: string;
  readonly commands: number;
  readonly events: number;
  /** Packages with native code, which cannot be bundled and have to be installed where the bot runs. */
  readonly external: readonly string[];
  /** Whether all of zod is in it, also what nobody uses. */
  readonly wholeZod: boolean;
  /** Files that were copied, by path from `dist/`. */
  readonly assets: readonly string[];
  readonly types: TypeCheck;
}

/** A build that is whole, beside the one it is to replace. */
export interface BuildDraft {
  /** Puts it in the place of the earlier one, which comes back when that fails. */
  commit(): Promise<BuildResult>;
}

/** What a build consists of, in the order it is put in place: the program comes last. */
const NAMES = ['assets', 'bot.mjs.map', 'manifest.json', 'bot.mjs'];

/**
 * Bundles a project into `dist/bot.mjs`, with its source map, `dist/manifest.json` and a copy of `assets/`
 * beside it. Everything is checked before anything is written, and the files of an earlier build stay
 * until the new ones are whole.
 *
 * @throws ProjectProblems when the project's files have problems, VirguleError `E_TYPES` when their types
 *   have, `E_BUILD_FAILED` when they cannot be bundled, or the bundle not written.
 */
export async function draftBuild(options: BuildOptions): Promise<BuildDraft> {
  const { root, files = nodeFiles, env, redact, signal } = options;
  const checked = options.types === false ? 'left out' : await checkTypes({ root, signal });
  const { manifest, project, config, problems } = await openProject(
    root,
    createLoader({ root }).importModule,
    { env, redact },
  );
  if (problems.length > 0) throw new ProjectProblems(problems);

  const draft = join(root, STATE_FOLDER, 'build');
  const output = join(root, 'dist');
  const { bot, map, sources, external, wholeZod } = await bundle(root, manifest);
  const isTyped = Object.keys(sources).some((file) => /\.[cm]?tsx?$/.test(file));
  const types = isTyped || checked === 'checked' ? checked : 'no TypeScript';
  const assets = await listAssets(root);
  const { baseUrl, gatewayUrl, profile } = config;
  const described = describeBuild({
    manifest,
    registered: wireCommands(project),
    platform: {
      baseUrl: baseUrl && bareAddress(baseUrl),
      gatewayUrl: gatewayUrl && bareAddress(gatewayUrl),
      profile,
    },
    bot,
    sources,
    external,
    assets,
  });
  await onDisk(async () => {
    makeStateFolder(join(root, STATE_FOLDER));
    await files.remove(draft);
    await files.makeFolder(draft);
    await files.write(join(draft, 'bot.mjs'), bot);
    await files.write(join(draft, 'bot.mjs.map'), map);
    await files.write(join(draft, 'manifest.json'), described);
    if (assets.length > 0) await files.copy(join(root, 'assets'), join(draft, 'assets'));
  });
  return {
    async commit() {
      const backup = join(root, STATE_FOLDER, 'build-before');
      await onDisk(() => replaceBuild({ files, draft, output, backup, names: NAMES }));
      return {
        file: join(output, 'bot.mjs'),
        bytes: bot.byteLength,
        hash: contentHash(bot),
        commands: project.commands.size,
        events: manifest.events.length,
        external,
        wholeZod,
        assets,
        types,
      };
    },
  };
}

/** The files below `assets/`, by path from the root, with `/`. */
async function listAssets(root: string): Promise<string[]> {
  const folder = join(root, 'assets');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskError(error);
  }
}

/** Something stands in the way of what is written, or the disk is full. */
function diskError(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  return cliErrors.E_BUILD_FAILED(
    { reason: error.message, disk: error.code === 'ENOSPC' ? 'full' : 'unwritable' },
    { cause: error },
  );
}
