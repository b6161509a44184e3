import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Manifest } from '@virgule/runtime/project';
import type { BuildFailure, BuildOptions, Message, Metafile, Plugin } from 'esbuild';
import { build } from '../loader/esbuild.js';
import { cliErrors } from '../terminal/cli-errors.js';
import { entryModules, entrySource } from './entry-source.js';
import { createInstalledPackages, type InstalledPackages } from './installed-package.js';
import { createUnbundledPackages } from './unbundled-packages.js';
import { ENTRY, readBundleGraph, type BundleGraph } from './bundle-graph.js';
import { ownModules } from './own-modules.js';

/** Bot in one file, with the data that the build needs. */
export type Bundle = Awaited<ReturnType<typeof bundle>>;

/** Maximum line length in characters, short enough for an error without a source map. */
const LINE_CHARACTERS = 200;

/**
 * Returns the first lines of a program. Bundled CommonJS packages call `require` for modules of Node.js; `placeOfBot`
 * takes a path relative to `dist/`.
 */
const bannerOf = (program: string): string =>
  `import { createRequire as createRequireOfBot } from 'node:module';
import { dirname as folderOfBot } from 'node:path';
import { fileURLToPath as pathOfBot } from 'node:url';
const require = createRequireOfBot(import.meta.url);
const placeOfBot = (address) => {
  const url = new URL(${JSON.stringify(`./${'../'.repeat(program.split('/').length - 1)}`)} + address, import.meta.url);
  const filename = pathOfBot(url);
  return { url: url.href, filename, dirname: folderOfBot(filename) };
};`;

/**
 * Bundles a project for `dist/`, in memory. Imported packages that the bundler cannot handle are left out. If the
 * first attempt shows that peers of these packages are imported too, a second attempt leaves out the peers as well.
 *
 * @param root - folder of the project.
 * @param external - names of packages to leave out in any case.
 * @throws VirguleError `E_BUILD_FAILED` when a file cannot be bundled.
 */
export async function bundle(root: string, manifest: Manifest, external: readonly string[] = []) {
  const packages = createInstalledPackages();
  const unbundled = createUnbundledPackages(root, packages, external);
  let attempt = await bundleOnce(root, manifest, packages, unbundled.leaveOut);
  if (unbundled.addFrom(attempt))
    attempt = await bundleOnce(root, manifest, packages, unbundled.leaveOut);
  const { outputs, graph, copies, warnings } = attempt;
  for (const [place, output] of outputs)
    output.map = withoutPackageSources(output.map, place, graph);
  return {
    /**
     * Programs with their source maps, by path relative to `dist/`: `bot.mjs` and others, such as those for workers.
     */
    outputs,
    bytes: outputs.get(ENTRY)?.code.byteLength ?? 0,
    /** Absolute paths of the files and folders that the project reads next to its modules. */
    copies,
    /** SHA-256 of the project's own files in the bundle, by path relative to the root. */
    sources: hashSources(graph),
    /** Packages that have to be installed where the bot runs, by name. */
    leftOut: unbundled.list(attempt),
    /** Warnings about the project's files, such as `commands/a.ts:3: …`. */
    warnings,
    graph,
  };
}

async function bundleOnce(
  root: string,
  manifest: Manifest,
  packages: InstalledPackages,
  leaveOut: (leftOut: Map<string, Set<string>>) => Plugin,
) {
  const own = ownModules(root, packages);
  const leftOut = new Map<string, Set<string>>();
  const outputs = new Map<string, { code: Uint8Array; map: Uint8Array }>();
  const metafiles: Metafile[] = [];
  const messages = new Set<string>();

  async function add(place: string, entry: BuildOptions): Promise<void> {
    const { outputFiles, metafile, warnings } = await build({
      ...entry,
      write: false,
      metafile: true,
      // Errors then show paths relative to the project's root.
      absWorkingDir: root,
      // Final path of the output, on which the source map depends.
      outfile: join(root, 'dist', place),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      sourcemap: 'linked',
      // Node.js keeps the code of a program in memory. Names are not minified, for stacks and errors.
      minifyWhitespace: true,
      minifySyntax: true,
      lineLimit: LINE_CHARACTERS,
      // A separate file contains the legal comments.
      legalComments: 'none',
      logLevel: 'silent',
      logOverride: { 'unsupported-dynamic-import': 'warning' },
      // A package that loads a `.node` file is left out.
      loader: { '.node': 'empty' },
      banner: { js: bannerOf(place) },
      plugins: [entryModules(root, manifest), leaveOut(leftOut), own.plugin],
    }).catch((error: unknown) => {
      const [first] = (error as Partial<BuildFailure>).errors ?? [];
      if (!first) throw error;
      const at = { cause: error, location: locationOf(first) };
      throw cliErrors.E_BUILD_FAILED({ reason: first.text }, at);
    });
    const found = warnings.filter(({ location }) =>
      packages.isOwn(join(root, location?.file ?? '')),
    );
    // The bundler ignores an invalid tsconfig.
    const invalid = found.find(({ id }) => id.startsWith('tsconfig'));
    if (invalid)
      throw cliErrors.E_BUILD_FAILED({ reason: invalid.text }, { location: locationOf(invalid) });
    for (const { text, location } of found)
      messages.add(location ? `${location.file}:${location.line}: ${text}` : text);
    const find = (ending: string): Uint8Array =>
      outputFiles.find(({ path }) => path.endsWith(ending))?.contents ?? new Uint8Array();
    outputs.set(place, { code: find('.mjs'), map: find('.mjs.map') });
    metafiles.push(metafile);
  }

  const contents = entrySource(manifest);
  await add(ENTRY, { stdin: { contents, resolveDir: root, sourcefile: ENTRY, loader: 'js' } });
  // A program can start other programs.
  for (const [place, file] of own.programs) await add(place, { entryPoints: [file] });
  const graph = readBundleGraph(root, packages, metafiles);
  return { outputs, graph, leftOut, copies: own.copies, warnings: [...messages].toSorted() };
}

/**
 * Removes the texts of packages from a source map, which Node.js reads at the start of a process and keeps. Positions
 * in these packages are still found.
 */
function withoutPackageSources(map: Uint8Array, place: string, { files }: BundleGraph): Uint8Array {
  // esbuild wrote this map, so the map has the shape of every source map.
  const parsed = JSON.parse(Buffer.from(map).toString('utf8')) as {
    readonly sources: readonly string[];
    readonly sourcesContent: readonly (string | null)[];
  };
  const { sources, sourcesContent } = parsed;
  const folder = posix.join('dist', posix.dirname(place));
  const kept = sourcesContent.map((text, index) => {
    const file = files.get(posix.join(folder, sources[index] ?? ''));
    return file?.isOwn ? text : null;
  });
  return Buffer.from(`${JSON.stringify({ ...parsed, sourcesContent: kept })}\n`);
}

function hashSources({ files }: BundleGraph): Record<string, string> {
  const own = [...files.values()].filter(({ isOwn }) => isOwn);
  const sorted = own.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  return Object.fromEntries(
    sorted.map(({ path, absolute }) => [path, hash('sha256', readFileSync(absolute))]),
  );
}

const locationOf = ({ location }: Message) =>
  location ? { file: location.file, line: location.line, column: location.column + 1 } : undefined;
