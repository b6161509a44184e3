import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { resolve } from 'node:path';
import type { InstalledPackage, InstalledPackages } from './installed-package.js';
import { isOwn, type BundleGraph } from './bundle-graph.js';

/**
 * Replaces the place of a module in packages: code with it reads files next to itself. The names are free
 * variables, so the bundler leaves them where the code around them is used.
 */
export const PLACES = {
  __dirname: '__dirname_of_bot',
  __filename: '__filename_of_bot',
  'import.meta.dirname': '__dirname_of_bot',
  'import.meta.filename': '__filename_of_bot',
  'import.meta.url': '__url_of_bot',
} as const;
/** In the framework's packages, which are bundled all the same, they have values. */
export const PLACES_DECLARED =
  '__dirname_of_bot = import.meta.dirname, __filename_of_bot = import.meta.filename, __url_of_bot = import.meta.url';
const PLACE_IN_OUTPUT = /\b__(?:dirname|filename|url)_of_bot\b|\b\w*require\.resolve\(/gi;
/** A file without these needs no closer look. */
const PLACE_IN_SOURCE = /\b__dirname\b|\b__filename\b|\bimport\.meta\b|\brequire\.resolve\b/;

export interface NeedsFilesOptions {
  readonly root: string;
  readonly packages: InstalledPackages;
  readonly graph: BundleGraph;
  /** Code and source map of each output, by path from `dist/`. */
  readonly outputs: ReadonlyMap<string, { readonly code: Uint8Array; readonly map: Uint8Array }>;
  /** The packages that were left out, with the absolute paths of the files that import them. */
  readonly leftOut: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Finds the packages of a bundle that read files next to themselves: data, workers, native addons. The bundled code
 * would look for them next to the bundle.
 *
 * A package that the project itself cannot import, such as a dependency of a dependency with pnpm, stays with the
 * package that imports it: that one is returned in its place.
 */
export function needsItsFiles({
  root,
  packages,
  graph,
  outputs,
  leftOut,
}: NeedsFilesOptions): Set<string> {
  const reached = graph.reachedByProject();
  const names = new Set<string>();
  const seen = new Set<string>();
  let places: ReadonlySet<string> | undefined;

  function add({ name, folder }: InstalledPackage): void {
    if (seen.has(folder)) return;
    seen.add(folder);
    if (packages.find(name, root)?.folder === folder) names.add(name);
    else
      addImporters(
        name,
        [...reached]
          .filter(({ owner }) => owner?.folder === folder)
          .flatMap(({ importedBy }) => [...importedBy]),
      );
  }

  function addImporters(
    name: string,
    importers: readonly { readonly owner: InstalledPackage | undefined }[],
  ): void {
    for (const { owner } of importers) {
      if (owner) add(owner);
      else names.add(name);
    }
  }

  for (const [name, importers] of leftOut) {
    if (!packages.find(name, root))
      addImporters(
        name,
        [...importers].map((file) => ({ owner: packages.ownerOf(file) })),
      );
  }
  for (const file of reached) {
    if (!file.owner || isOwn(file)) continue;
    if (file.absolute.endsWith('.node')) add(file.owner);
    else if (file.isUsed && mentionsPlace(file.absolute)) {
      places ??= filesWithPlaces(root, outputs);
      if (places.has(file.absolute)) add(file.owner);
    }
  }
  return importedWithout(names, graph);
}

/** Returns the packages of a list that are still imported when all of them are left out. */
function importedWithout(names: ReadonlySet<string>, { files }: BundleGraph): Set<string> {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const waiting = [...files.values()].filter(isOwn);
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (seen.has(file) || file.isOfFramework) continue;
    seen.add(file);
    if (file.owner && names.has(file.owner.name)) found.add(file.owner.name);
    else waiting.push(...file.imports);
  }
  return found;
}

function mentionsPlace(file: string): boolean {
  return PLACE_IN_SOURCE.test(readFileSync(file, 'utf8'));
}

/** Returns the absolute paths of the files whose code in the outputs has a place in it. */
function filesWithPlaces(root: string, outputs: NeedsFilesOptions['outputs']): Set<string> {
  const found = new Set<string>();
  for (const [place, { code, map }] of outputs) {
    const folder = resolve(root, 'dist', place, '..');
    // The bundler wrote it a moment ago; its shape is that of every source map.
    const sourceMap = new SourceMap(
      JSON.parse(Buffer.from(map).toString('utf8')) as SourceMapPayload,
    );
    Buffer.from(code)
      .toString('utf8')
      .split('\n')
      .forEach((text, line) => {
        for (const { index } of text.matchAll(PLACE_IN_OUTPUT)) {
          const entry = sourceMap.findEntry(line, index);
          if ('originalSource' in entry) found.add(resolve(folder, entry.originalSource));
        }
      });
  }
  return found;
}
