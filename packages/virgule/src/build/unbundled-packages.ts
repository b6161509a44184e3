import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { isSharedPackage, readPackageJson } from '../loader/packages.js';
import { isOwn, type BundledFile, type BundleGraph } from './bundle-graph.js';
import type { InstalledPackages } from './installed-package.js';

/** Names of packages, each with the reason to leave it out of the bundle. */
export type Reasons = ReadonlyMap<string, string>;

/** A package that is not in the bundle and has to be installed where the bot runs. */
export interface UnbundledPackage {
  readonly reason: string;
  /** The exact version that is installed; the range of the project if none is. */
  readonly version: string;
  /** Where it is installed. */
  readonly folder: string | undefined;
}

/** The programs of a build, and what was found in them. */
export interface Attempt {
  /** Each program with its source map, by path from `dist/`. */
  readonly outputs: ReadonlyMap<string, { readonly code: Uint8Array; readonly map: Uint8Array }>;
  readonly graph: BundleGraph;
  /** The packages that were left out, with the absolute paths of the files that import them. */
  readonly leftOut: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Replaces the path of a module in packages: code with it reads files next to itself. The names are free variables, so the
 * bundler leaves them where the code around them is used. In the framework's packages, which are bundled all the same, they
 * have values.
 */
export const PACKAGE_PATHS = {
  __dirname: '__dirname_of_bot',
  __filename: '__filename_of_bot',
  'import.meta.dirname': '__dirname_of_bot',
  'import.meta.filename': '__filename_of_bot',
  'import.meta.url': '__url_of_bot',
} as const;
/** Code without these needs no closer look, which takes 200 ms. */
const OWN_PATH_IN_SOURCE = /\b__(?:dir|file)name\b|\bimport\.meta\b|\brequire\.resolve\b/;
const OWN_PATH = /\b__(?:dirname|filename|url)_of_bot\b|\b\w*require\.resolve\(/gi;

/** Decides which packages of a project are not in its bundle. */
export function createUnbundledPackages(
  root: string,
  packages: InstalledPackages,
  external: Reasons,
) {
  /** Adds the installed peers of packages: the project and such a package must share one copy. */
  function withPeers(reasons: Reasons): Map<string, string> {
    const all = new Map(reasons);
    // The loop also visits the peers that it adds.
    for (const [name] of all)
      for (const peer of Object.keys(packages.find(name, root)?.manifest.peerDependencies ?? {}))
        if (!all.has(peer) && packages.find(peer, root)) all.set(peer, `peer of ${name}`);
    return all;
  }

  /**
   * Returns the packages to leave out after a first attempt: those that it left out, those whose code in it asks for its own
   * path, and their peers. With pnpm, the project cannot import a package that another one depends on; the package that
   * imports it is returned in its place.
   */
  function findReasons({ graph, outputs, leftOut }: Attempt): Reasons {
    const reasons = new Map(external);
    const reached = graph.reachedByProject();

    const isImportable = ({ owner }: BundledFile): boolean =>
      owner !== undefined && packages.find(owner.name, root)?.folder === owner.folder;
    function add(file: BundledFile, origin: string, reason: string): void {
      const ends = graph.behind(file, (at) =>
        reached.has(at) ? isOwn(at) || isImportable(at) : undefined,
      );
      for (const { owner } of ends) {
        const name = owner?.name ?? origin;
        reasons.set(name, name === origin ? reason : `needs ${origin}`);
      }
    }

    for (const [name, importers] of leftOut) {
      if (packages.find(name, root)) reasons.set(name, external.get(name) ?? NATIVE);
      else for (const file of reached) if (importers.has(file.absolute)) add(file, name, NATIVE);
    }
    const mentioning = [...reached].filter(
      ({ owner, isUsed, absolute }) =>
        owner && isUsed && OWN_PATH_IN_SOURCE.test(readFileSync(absolute, 'utf8')),
    );
    const asking = mentioning.length > 0 ? filesWithOwnPath(root, outputs) : new Set();
    for (const file of reached) {
      if (!file.owner) continue;
      if (file.absolute.endsWith('.node')) add(file, file.owner.name, NATIVE);
      else if (asking.has(file.absolute)) add(file, file.owner.name, 'uses its own path');
    }
    const isNamed = ({ owner }: BundledFile): boolean => !!owner && reasons.has(owner.name);
    const outermost = [...graph.reachedByProject(isNamed)];
    /** Returns whether something else than a package that is left out imports a package. */
    const isNeeded = (name: string): boolean =>
      outermost.some((file) =>
        isNamed(file) ? file.owner?.name === name : leftOut.get(name)?.has(file.absolute),
      );
    const needed = [...reasons].filter(([name]) => external.has(name) || isNeeded(name));
    // The bot and the framework, which is always in the bundle, must share one copy of some.
    return new Map(
      [...withPeers(new Map(needed))].filter(
        ([name]) => external.has(name) || !isSharedPackage(name),
      ),
    );
  }

  /**
   * Lists what has to be installed: the packages that an attempt left out, their peers, and what the project depends on and is
   * not in the bundle, since a package can be loaded by its name, such as the target of a transport.
   */
  function list(
    { leftOut, graph }: Attempt,
    reasons: Reasons,
  ): ReadonlyMap<string, UnbundledPackage> {
    const isInstalled = (name: string): boolean => packages.find(name, root) !== undefined;
    const listed = withPeers(
      new Map([
        ...[...external].filter(([name]) => isInstalled(name)),
        ...[...leftOut.keys()].map((name) => [name, reasons.get(name) ?? NATIVE] as const),
      ]),
    );
    const declared = readPackageJson(root)?.dependencies ?? {};
    const bundled = new Set(graph.packages().map(({ name }) => name));
    for (const name of listed.size > 0 ? Object.keys(declared) : []) {
      const found = packages.find(name, root);
      // A package that is linked, such as one of the same workspace, is in no registry.
      const isLinked = found && !packages.ownerOf(path.join(found.folder, 'package.json'));
      // The framework and zod are in the bundle, also where their entry only passes on what others export.
      if (found && !isLinked && !listed.has(name) && !bundled.has(name) && !isSharedPackage(name))
        listed.set(name, 'in dependencies, not imported');
    }
    const sorted = [...listed].toSorted(([left], [right]) => (left < right ? -1 : 1));
    return new Map(
      sorted.map(([name, reason]) => {
        const [importer = root] = leftOut.get(name) ?? [];
        const found = packages.find(name, root) ?? packages.find(name, importer);
        const range = declared[name];
        const version = found?.manifest.version ?? (typeof range === 'string' ? range : '*');
        return [name, { reason, version, folder: found?.folder }];
      }),
    );
  }

  return { findReasons, list };
}

const NATIVE = 'native code';

/** Returns the absolute paths of the files whose code in the outputs asks for its own path. */
function filesWithOwnPath(root: string, outputs: Attempt['outputs']): Set<string> {
  const found = new Set<string>();
  for (const [place, { code, map }] of outputs) {
    const folder = path.resolve(root, 'dist', place, '..');
    // The bundler wrote it a moment ago; its shape is that of every source map.
    const sources = new SourceMap(JSON.parse(Buffer.from(map).toString()) as SourceMapPayload);
    for (const [line, text] of Buffer.from(code).toString().split('\n').entries()) {
      for (const { index } of text.matchAll(OWN_PATH)) {
        const entry = sources.findEntry(line, index);
        if ('originalSource' in entry) found.add(path.resolve(folder, entry.originalSource));
      }
    }
  }
  return found;
}
