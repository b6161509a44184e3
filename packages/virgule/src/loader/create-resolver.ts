import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { orUndefined } from '@virgule/core/objects';
import { parse } from 'es-module-lexer';
import { createPackages, isSharedPackage, splitSpecifier } from './packages.js';
import { pathOfUrl, type ProjectPaths } from './project-paths.js';
import { isFile } from './read-source.js';
import type { TsconfigReader } from './tsconfig.js';

/** Meaning of an import specifier for one importer. */
export type Resolution =
  /** Module of the graph. */
  | { readonly kind: 'module'; readonly file: string }
  /** Module that Node.js imports itself, for a file in `folder`. `file` is set for a file of the project. */
  | {
      readonly kind: 'dependency';
      readonly specifier: string;
      readonly folder: string;
      readonly file: string | undefined;
    }
  /** Nothing was found. `target` is the path that was tried first; a package has no target. */
  | { readonly kind: 'missing'; readonly target?: string | undefined };

export type Resolver = ReturnType<typeof createResolver>;

/** Extensions tried, in order, after a path without a file. */
const EXTENSIONS = ['.tsx', '.ts', '.jsx', '.js', '.json'];

/** Source extensions by the extension that TypeScript uses in imports: `./x.js` may be any of these on disk. */
const SOURCE_EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx', '.ts'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

const GRAPH_EXTENSIONS = new Set(['.ts', '.tsx', '.mts', '.js', '.jsx', '.mjs', '.json']);

/** Creates a resolver. The lexer must have been initialized before the first call. */
export function createResolver(paths: ProjectPaths, tsconfig: TsconfigReader) {
  const packages = createPackages();

  /** Returns whether a file is CommonJS: `.js`, not below `"type": "module"`, and without import or export. */
  function isCommonJs(file: string): boolean {
    if (path.extname(file) !== '.js') return false;
    if (packages.scopeOf(path.dirname(file))?.json.type === 'module') return false;
    // A syntax error is reported when the module is compiled.
    return orUndefined(() => !parse(readFileSync(file, 'utf8'))[3]) ?? false;
  }

  function locate(file: string): Resolution {
    const canonical = paths.canonical(file);
    const extension = path.extname(canonical);
    const own = paths.isOwn(canonical);
    if (own && GRAPH_EXTENSIONS.has(extension) && !isCommonJs(canonical))
      return { kind: 'module', file: canonical };
    const specifier = pathToFileURL(canonical).href;
    const folder = path.dirname(canonical);
    return { kind: 'dependency', specifier, folder, file: own ? canonical : undefined };
  }

  /** Returns the resolution of the first absolute path that leads to a file. */
  function locateFirst(targets: readonly string[]): Resolution {
    for (const target of targets)
      for (const candidate of candidatesOf(target)) if (isFile(candidate)) return locate(candidate);
    return { kind: 'missing', target: targets[0] };
  }

  function resolvePackage(specifier: string, folder: string): Resolution {
    const { name, subpath } = splitSpecifier(specifier);
    const scope = packages.scopeOf(folder);
    const self =
      scope?.json.name === name && scope.json.exports !== undefined ? scope.folder : undefined;
    const found = self ?? packages.find(name, folder);
    const dependency: Resolution = { kind: 'dependency', specifier, folder, file: undefined };
    // Yarn's Plug'n'Play stores packages elsewhere and resolves the import itself.
    if (found === undefined) return process.versions['pnp'] ? dependency : { kind: 'missing' };
    if (!paths.isOwn(paths.canonical(found))) return dependency;
    const linked = locateFirst(packages.exports(found, subpath));
    if (linked.kind === 'module') return linked;
    // A linked CommonJS package is imported by its name.
    return linked.kind === 'dependency' ? { ...dependency, file: linked.file } : dependency;
  }

  function resolve(specifier: string, importer: string): Resolution {
    const folder = path.dirname(importer);
    if (isBuiltin(specifier) || isSharedPackage(specifier))
      return { kind: 'dependency', specifier, folder, file: undefined };
    const target = specifier.startsWith('file:')
      ? pathOfUrl(withoutQuery(specifier))
      : isRelative(specifier) && absolute(folder, withoutQuery(specifier));
    if (target) return locateFirst([target]);
    if (URL.canParse(specifier)) return { kind: 'dependency', specifier, folder, file: undefined };
    const aliased = locateFirst(tsconfig(folder).match(specifier));
    if (aliased.kind !== 'missing') return aliased;
    if (!specifier.startsWith('#')) return resolvePackage(specifier, folder);
    const scope = packages.scopeOf(folder);
    const targets = scope ? packages.imports(scope, specifier) : [];
    const bare = targets.find((target) => !path.isAbsolute(target));
    if (scope && bare !== undefined) return resolve(bare, path.join(scope.folder, 'package.json'));
    return locateFirst(targets);
  }

  return {
    /** Resolves `specifier` in the file `importer`. */
    resolve,
    /** Returns the kind of loading for a file, given by its path. */
    locate: (file: string): Resolution => locateFirst([file]),
    /** Returns the result of `import.meta.resolve(specifier)` in `importer`. */
    toUrl(specifier: string, importer: string): string {
      const found = resolve(specifier, importer);
      if (found.kind === 'module') return pathToFileURL(found.file).href;
      if (isRelative(specifier)) return new URL(specifier, pathToFileURL(importer)).href;
      // The target of an alias replaces the specifier.
      const meant = found.kind === 'dependency' ? found.specifier : specifier;
      if (isBuiltin(meant)) return meant.startsWith('node:') ? meant : `node:${meant}`;
      if (URL.canParse(meant)) return meant;
      const { name, subpath } = splitSpecifier(meant);
      const installed = packages.find(name, path.dirname(importer));
      const target = installed === undefined ? undefined : packages.exports(installed, subpath)[0];
      if (target === undefined)
        throw new TypeError(`Cannot find "${specifier}" from ${paths.display(importer)}`);
      return pathToFileURL(target).href;
    },
  };
}

const isRelative = (specifier: string): boolean =>
  /^(?:\.{0,2}\/|\.\.?$)/.test(specifier) || path.isAbsolute(specifier);

/** Joins two paths. Keeps a trailing slash, or adds one after `.` and `..`, which marks a folder. */
const absolute = (folder: string, specifier: string): string =>
  path.resolve(folder, specifier) + (/(?:^|\/)\.{0,2}$/.test(specifier) ? '/' : '');

/** Removes the query. In a specifier that is a URL, `?` and `#` end the path. */
const withoutQuery = (specifier: string): string => specifier.replace(/[?#][^]*/, '');

/**
 * Yields the files that an import of the absolute path `target` may mean: the file itself, the path with an extension,
 * the TypeScript source of a `.js` name, or the index file of a folder; with a trailing slash, only the index file.
 */
function* candidatesOf(target: string): Generator<string> {
  if (!target.endsWith('/') && !target.endsWith(path.sep)) {
    yield target;
    for (const extension of EXTENSIONS) yield target + extension;
    const extension = path.extname(target);
    const stem = target.slice(0, target.length - extension.length);
    for (const source of SOURCE_EXTENSIONS[extension] ?? []) yield stem + source;
  }
  for (const extension of EXTENSIONS) yield path.join(target, `index${extension}`);
}
