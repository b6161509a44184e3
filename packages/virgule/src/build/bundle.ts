import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Manifest } from '@virgule/runtime/project';
import { build, type BuildFailure, type BuildOptions, type Message, type Metafile } from 'esbuild';
import { cliErrors } from '../terminal/cli-errors.js';
import { contentHash } from './content-hash.js';
import { entryModules, entrySource } from './entry-source.js';
import {
  createInstalledPackages,
  type InstalledPackage,
  type InstalledPackages,
} from './installed-package.js';
import { leaveOut } from './leave-out.js';
import { ENTRY, isOwn, readBundleGraph, type BundleGraph } from './bundle-graph.js';
import { needsItsFiles, PLACES, PLACES_DECLARED } from './needs-its-files.js';
import { ownModules, type OwnReach } from './own-modules.js';

/** A bot in one file, and what it needs next to it. */
export interface Bundle {
  /** `bot.mjs` and other programs, such as those of workers, each with its source map, by path from `dist/`. */
  readonly outputs: ReadonlyMap<string, { readonly code: Uint8Array; readonly map: Uint8Array }>;
  /** What the project reads next to its modules: absolute path of a file or folder by path from `dist/`. */
  readonly copies: ReadonlyMap<string, string>;
  /** SHA-256 of the project's own files in it, by path from the root. */
  readonly sources: Readonly<Record<string, string>>;
  /** Packages that were left out and have to be installed where the bot runs, by name. */
  readonly external: ReadonlyMap<string, InstalledPackage | undefined>;
  /** The packages that are in it, sorted by name. */
  readonly bundled: readonly InstalledPackage[];
  /** Places in the project's files that reach files the build cannot know, such as `lib/data.ts:3`. */
  readonly unknown: readonly string[];
  /** Whether every locale of zod is in it, since esbuild cannot see what `import { z }` uses. */
  readonly wholeZod: boolean;
  readonly graph: BundleGraph;
}

/** Short enough for a line of it to be read in an error that no source map explains. */
const LINE_CHARACTERS = 160;

/** Bundled CommonJS packages call `require` for modules of Node.js. */
const BANNER =
  "import { createRequire as createRequireOfBot } from 'node:module'; " +
  `const require = createRequireOfBot(import.meta.url), ${PLACES_DECLARED};`;

export interface BundleOptions {
  /** The project's folder. */
  readonly root: string;
  readonly manifest: Manifest;
  /** Names of packages to leave out in any case. @defaultValue none */
  readonly external?: readonly string[] | undefined;
}

/**
 * Bundles a project for `dist/`, in memory. Packages that read files next to themselves are left out: those with native
 * code when they are imported, others after a first attempt has shown which of their code is used.
 *
 * @throws VirguleError `E_BUILD_FAILED` when a file cannot be bundled.
 */
export async function bundle(options: BundleOptions): Promise<Bundle> {
  const { root, external = [] } = options;
  const packages = createInstalledPackages();
  const first = await bundleOnce(options, packages, new Set(external));
  const found = needsItsFiles({ root, packages, ...first });
  const isNew = [...found].some((name) => !first.leftOut.has(name));
  const last = isNew
    ? await bundleOnce(options, packages, new Set([...external, ...found]))
    : first;
  const { outputs, graph, reach } = last;
  const leftOut = [...last.leftOut].map(([name, [importer = root]]) => {
    return [name, packages.find(name, root) ?? packages.find(name, importer)] as const;
  });
  return {
    outputs: new Map(
      [...outputs].map(([place, { code, map }]) => [
        place,
        { code, map: withoutPackageSources(map, root, place, graph) },
      ]),
    ),
    copies: reach.copies,
    sources: await hashSources(graph),
    external: new Map(leftOut.toSorted(byName)),
    bundled: bundledPackages(graph),
    unknown: [...reach.unknown].toSorted(),
    wholeZod: isWholeZod(graph),
    graph,
  };
}

/** The bot and its programs, bundled with some packages left out. */
interface Attempt {
  readonly outputs: Bundle['outputs'];
  readonly graph: BundleGraph;
  readonly reach: OwnReach;
  /** The packages that were left out, with the absolute paths of the files that import them. */
  readonly leftOut: ReadonlyMap<string, ReadonlySet<string>>;
}

async function bundleOnce(
  { root, manifest }: BundleOptions,
  packages: InstalledPackages,
  names: ReadonlySet<string>,
): Promise<Attempt> {
  const reach: OwnReach = { copies: new Map(), programs: new Map(), unknown: new Set() };
  const leftOut = new Map<string, Set<string>>();
  const onLeftOut = (name: string, importer: string): void =>
    void leftOut.set(name, (leftOut.get(name) ?? new Set()).add(importer));
  const outputs = new Map<string, { code: Uint8Array; map: Uint8Array }>();
  const metafiles: Metafile[] = [];

  async function add(place: string, entry: BuildOptions): Promise<void> {
    const { outputFiles, metafile, warnings } = await build({
      ...entry,
      write: false,
      metafile: true,
      // Paths in errors are shown from the project's root.
      absWorkingDir: root,
      // Where it ends up, which the source map depends on.
      outfile: join(root, 'dist', place),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      sourcemap: 'linked',
      // Node.js keeps the code of a program in memory. Names stay, for stacks and errors.
      minifyWhitespace: true,
      minifySyntax: true,
      lineLimit: LINE_CHARACTERS,
      // They are in a file of their own.
      legalComments: 'none',
      logLevel: 'silent',
      // A package that loads one is left out.
      loader: { '.node': 'empty' },
      banner: { js: BANNER },
      define: PLACES,
      plugins: [
        entryModules(root, manifest),
        leaveOut({ root, packages, names, onLeftOut }),
        ownModules({ root, packages, output: place, reach }),
      ],
    }).catch((error: unknown) => {
      throw buildError(error);
    });
    refuseCommonJs(warnings);
    refuseTsconfig(warnings);
    const find = (ending: string): Uint8Array =>
      outputFiles.find(({ path }) => path.endsWith(ending))?.contents ?? new Uint8Array();
    outputs.set(place, { code: find('.mjs'), map: find('.mjs.map') });
    metafiles.push(metafile);
  }

  const contents = entrySource(manifest);
  await add(ENTRY, { stdin: { contents, resolveDir: root, sourcefile: ENTRY, loader: 'js' } });
  // A program can start others.
  for (const [place, file] of reach.programs) await add(place, { entryPoints: [file] });
  return { outputs, graph: readBundleGraph(root, packages, metafiles), reach, leftOut };
}

/**
 * Leaves the texts of packages out of a source map, which Node.js reads at the start of a process and keeps.
 * Positions in them are found all the same.
 */
function withoutPackageSources(
  map: Uint8Array,
  root: string,
  place: string,
  { files }: BundleGraph,
): Uint8Array {
  // esbuild wrote it.
  const parsed = JSON.parse(Buffer.from(map).toString('utf8')) as SourceMap;
  const { sources, sourcesContent } = parsed;
  const folder = posix.join('dist', posix.dirname(place));
  const kept = sourcesContent.map((text, index) => {
    const file = files.get(posix.join(folder, sources[index] ?? ''));
    return file && isOwn(file) ? text : null;
  });
  return Buffer.from(`${JSON.stringify({ ...parsed, sourcesContent: kept })}\n`);
}

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
}

/** A bot that needs locales has a few of them; all are in only if they were not left out. */
const LOCALES_WANTED = 20;

function isWholeZod({ files }: BundleGraph): boolean {
  const locales = [...files.values()].filter(
    ({ path, isUsed }) => isUsed && /\/zod\/v4\/locales\/\w/.test(path),
  );
  return locales.length > LOCALES_WANTED;
}

/** Returns the project's own files in a bundle, with the hash of each. */
async function hashSources({ files }: BundleGraph): Promise<Record<string, string>> {
  const own = [...files.values()].filter(isOwn);
  const hashed = own
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
    .map(async ({ path, absolute }) => [path, contentHash(await readFile(absolute))] as const);
  return Object.fromEntries(await Promise.all(hashed));
}

function bundledPackages({ files }: BundleGraph): InstalledPackage[] {
  const found = new Map<string, InstalledPackage>();
  for (const { owner, isUsed } of files.values())
    if (owner && isUsed) found.set(owner.folder, owner);
  return [...found].toSorted(byName).map(([, owner]) => owner);
}

const byName = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : 1;

/**
 * Refuses CommonJS. Node.js does not run such a file; development does, since what it runs is compiled to
 * CommonJS.
 */
function refuseCommonJs(warnings: readonly Message[]): void {
  const [found] = warnings.filter(
    ({ id, location }) =>
      id === 'commonjs-variable-in-esm' &&
      location &&
      !location.file.includes('node_modules/') &&
      /\bexports\b/.test(location.lineText),
  );
  if (!found) return;
  throw cliErrors.E_BUILD_FAILED(
    {
      reason: 'an ES module has no `module.exports`.',
      advice: 'Use `export`, or rename the file to .cjs.',
    },
    { location: locationOf(found) },
  );
}

/**
 * Refuses an invalid tsconfig. The bundler ignores settings that it cannot read; development and type checks
 * do not.
 */
function refuseTsconfig(warnings: readonly Message[]): void {
  const found = warnings.find(
    ({ id, location }) =>
      id.startsWith('tsconfig') && !(location && location.file.includes('node_modules/')),
  );
  if (found)
    throw cliErrors.E_BUILD_FAILED({ reason: found.text }, { location: locationOf(found) });
}

function buildError(error: unknown): unknown {
  const first: Message | undefined = isBuildFailure(error) ? error.errors[0] : undefined;
  if (!first) return error;
  return cliErrors.E_BUILD_FAILED(
    { reason: first.text },
    { cause: error, location: locationOf(first) },
  );
}

const locationOf = ({ location }: Message) =>
  location ? { file: location.file, line: location.line, column: location.column + 1 } : undefined;

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors);
