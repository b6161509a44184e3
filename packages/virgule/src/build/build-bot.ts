import { hash } from 'node:crypto';
import * as disk from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock, type Clock } from '@virgule/core/clock';
import { makeStateFolder, STATE_FOLDER } from '@virgule/core/fs';
import { createRedactor } from '@virgule/core/log';
import { listProjectFiles, scan, wireCommands, type Project } from '@virgule/runtime/project';
import { stop } from '../loader/esbuild.js';
import { cliErrors } from '../terminal/cli-errors.js';
import { waitForState } from '../state/state-lock.js';
import { createLoader } from '../loader/create-loader.js';
import { loadSettings } from '../project/load-settings.js';
import { openProject, type OpenProjectOptions } from '../project/open-project.js';
import { ProjectProblems } from '../project/project-problems.js';
import { writeTypes } from '../project/write-types.js';
import { platformSchema, readContents } from './built-manifest.js';
import { bundle, type Bundle } from './bundle.js';
import { checkTypes } from './check-types.js';
import { isInside, listCopied, type CopiedFiles } from './copied-files.js';
import { loadBuild } from './load-build.js';
import { ENTRY } from './bundle-graph.js';
import {
  draftFolder,
  FREE_PATH,
  removeAll,
  replaceBuild,
  type BuildFiles,
} from './replace-build.js';
import { thirdPartyNotices } from './third-party.js';

export interface BuildOptions extends Pick<OpenProjectOptions, 'env' | 'redact'> {
  readonly root: string;
  /** Checks types first. @defaultValue `true` */
  readonly types?: boolean | undefined;
  readonly load?: boolean | undefined;
  /** Environment of the process that loads the bot. @defaultValue empty */
  readonly processEnv?: Readonly<Record<string, string | undefined>> | undefined;
  /** @defaultValue the disk of this machine */
  readonly files?: BuildFiles | undefined;
  /** @defaultValue the clock of the system */
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Bundles a project into `dist/`: `bot.mjs` with its source map, `manifest.json`, a package.json of the packages that
 * are not bundled, the licenses of the bundled ones, and copies of the files that the bot reads. The result is loaded
 * once in an empty folder. The files of an earlier build stay until the new ones are complete and the result is
 * committed.
 *
 * @throws ProjectProblems when the project's files have problems, VirguleError `E_TYPES` for type errors,
 * `E_BUILD_FAILED` when the files cannot be bundled or the bundle cannot be written, `E_BUILD_UNLOADABLE` when the
 * bundle throws.
 */
export async function draftBuild(options: BuildOptions) {
  const { root, files = disk, clock = systemClock, signal } = options;
  await assertApart(root);
  const { config, manifest } = await readFiles(options);
  const unwritten = writeTypes(root, manifest);
  const checked = options.types === false ? 'skipped' : await checkTypes(root, signal);
  const bundled = await bundle(root, manifest, config.build?.external).catch((error) =>
    explain(error, options),
  );
  // esbuild's memory of a bundle is as large as the memory of all later steps.
  await stop();
  const isTyped = Object.keys(bundled.sources).some((file) => /\.[cm]?tsx?$/.test(file));
  const types = isTyped || checked === 'checked' ? checked : 'no-typescript';
  const draft = draftFolder(root);
  const copied = await onDisk(() => listCopied(root, bundled.copies));
  const leftOut = [...bundled.leftOut];
  const dependencies = Object.fromEntries(leftOut.map(([name, { version }]) => [name, version]));
  const summary = {
    /** SHA-256 of `dist/bot.mjs`. */
    hash: hash('sha256', bundled.outputs.get(ENTRY)?.code ?? ''),
    bytes: bundled.bytes,
    /** Files that were copied, by path relative to `dist/`. */
    assets: copied.entries.flatMap(({ place, isFolder }) => (isFolder ? [] : [place])),
  };
  await onDisk(async () => makeStateFolder(join(root, STATE_FOLDER)));
  // Another build in this folder would use the same folder for its draft.
  const lock = await waitForState({ root, command: 'build', clock, signal });
  let contents: readonly string[];
  try {
    await onDisk(() => writeDraft(draft, files, bundled, copied, dependencies));
    const env = options.processEnv ?? {};
    const registered =
      options.load === false
        ? wireCommands(await openSources(options))
        : await loadBuild({ root, draft, bundle: bundled, env, clock, signal }).catch((error) =>
            explain(diskError(error), options),
          );
    contents = [...(await disk.readdir(draft)), 'manifest.json'].toSorted();
    const described = {
      v: 1,
      ...summary,
      ...manifest,
      registered,
      platform: platformSchema.parse(config),
      external: leftOut.map(([name]) => name),
      contents,
      sources: bundled.sources,
    };
    await onDisk(() =>
      files.writeFile(join(draft, 'manifest.json'), `${JSON.stringify(described, null, 2)}\n`),
    );
    signal?.throwIfAborted();
  } catch (error) {
    await removeAll(files, draft).catch(() => {});
    lock[Symbol.dispose]();
    throw error;
  }

  /** Replaces the earlier build, which is restored after a failure. */
  return async () => {
    const earlier = await readContents(root);
    // The program comes last: once it exists, all other files exist.
    const names = [...new Set([...earlier, ...contents])].filter((name) => name !== ENTRY);
    await onDisk(async () => {
      try {
        await replaceBuild(root, [...names, ENTRY], files);
      } finally {
        await removeAll(files, draft);
        lock[Symbol.dispose]();
      }
    });
    return {
      file: join(root, 'dist', ENTRY),
      ...summary,
      commands: manifest.commands.length,
      events: manifest.events.length,
      tasks: manifest.tasks.length,
      /** Packages that were left out, with their reasons. They must be installed where the bot runs. */
      external: Object.fromEntries(leftOut.map(([name, { reason }]) => [name, reason])),
      /** Exact versions of these packages, as in `dist/package.json`. */
      dependencies,
      warnings: unwritten ? [unwritten.message, ...bundled.warnings] : bundled.warnings,
      /** Files that were not copied, with their reasons: `data/keys (a link)`. */
      notCopied: copied.refused,
      types,
    };
  };
}

async function writeDraft(
  draft: string,
  files: BuildFiles,
  bundled: Bundle,
  copied: CopiedFiles,
  dependencies: Readonly<Record<string, string>>,
): Promise<void> {
  await removeAll(files, draft);
  await files.mkdir(draft, { recursive: true });
  for (const [place, { code, map }] of bundled.outputs) {
    await files.mkdir(dirname(join(draft, place)), { recursive: true });
    await files.writeFile(join(draft, place), code);
    await files.writeFile(join(draft, `${place}.map`), map);
  }
  const installed = { private: true, type: 'module', dependencies };
  await files.writeFile(join(draft, 'package.json'), `${JSON.stringify(installed, null, 2)}\n`);
  const notices = thirdPartyNotices(bundled.graph.packages());
  await files.writeFile(join(draft, 'THIRD_PARTY.txt'), notices);
  for (const { from, place, isFolder } of copied.entries) {
    const to = join(draft, place);
    await files.mkdir(isFolder ? to : dirname(to), { recursive: true });
    if (!isFolder) await files.copyFile(from, to);
  }
}

/**
 * Throws if `dist` is a link to the project or to a folder around the project: a build would replace the project's
 * package.json and `assets/`.
 */
async function assertApart(root: string): Promise<void> {
  const output = await disk.realpath(join(root, 'dist')).catch(() => undefined);
  if (output === undefined || !isInside(await disk.realpath(root), output)) return;
  throw cliErrors.E_BUILD_FAILED({
    reason: 'dist is a link to the project, whose files a build would replace.',
    advice: 'Delete that link and build again.',
  });
}

/** Reads the settings and the list of files. The bundler reads the files themselves. */
async function readFiles(options: BuildOptions) {
  const { root, env = {}, redact = createRedactor() } = options;
  const config = await loadSettings({ root, env, redact }).catch((error) =>
    explain(error, options),
  );
  const { manifest, problems } = scan(await listProjectFiles(root), config);
  if (problems.length > 0) await explain(new ProjectProblems(problems), options);
  return { config, manifest };
}

/**
 * Throws every problem of the sources, which is more precise than an error of the bundle; throws the latter if there
 * is none.
 */
async function explain(error: unknown, options: BuildOptions): Promise<never> {
  if (!options.signal?.aborted) await openSources(options);
  throw error;
}

async function openSources({ root, env, redact }: BuildOptions): Promise<Project> {
  await using loader = createLoader({ root });
  const { project, problems } = await openProject(root, loader.importModule, { env, redact });
  if (problems.length > 0) throw new ProjectProblems(problems);
  return project;
}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskError(error);
  }
}

/** Returns the error for a path that cannot be written or read, or a full disk. */
function diskError(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return cliErrors.E_BUILD_FAILED({ reason: error.message, advice: FREE_PATH }, { cause: error });
}
