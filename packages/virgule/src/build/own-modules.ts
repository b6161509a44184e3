import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Loader, OnLoadResult, Plugin } from 'esbuild';
import { transform } from '../loader/esbuild.js';
import { createProjectPaths, pathOfUrl } from '../loader/project-paths.js';
import { statsOf } from '../loader/read-source.js';
import { readSourceMap, withSourceMap } from '../loader/stack-traces.js';
import { createTsconfigReader } from '../loader/tsconfig.js';
import type { InstalledPackages } from './installed-package.js';

const SCRIPT = /\.[cm]?[jt]sx?$/;
/** Matches references to the place of a module. Files without such references are not transformed here. */
const MENTIONS_PLACE = /\bimport\.meta\b|\b__(?:dir|file)name\b/;
const PLACES = {
  __dirname: '__dirname_of_module',
  __filename: '__filename_of_module',
  'import.meta.dirname': '__dirname_of_module',
  'import.meta.filename': '__filename_of_module',
  'import.meta.url': '__url_of_module',
} as const;
const PLACE = /\b__(url|dirname|filename)_of_module\b/g;
/** Matches `new URL("./file", import.meta.url)`, as the compiler prints it. */
const FILE_URL = /\bnew URL\(("(?:[^"\\]|\\.)*"|`[^`$\\]*`), __url_of_module\)/g;
/** Matches a URL that does not depend on the module that contains it. */
const ABSOLUTE = /^(?:[a-z][a-z+.-]*:|\/)/i;

const NOT_FOLLOWED =
  "The built bot has another path here. If files are read from it, put them into assets/, or write new URL('./file', import.meta.url): nothing else is copied.";

/**
 * Place in `dist/` of modules of packages. No file exists there: if a package misses a file, the error names the
 * package and the setting that leaves out the package.
 */
export const PACKAGE_PLACE = 'build.external';

/**
 * Keeps the project's modules in their places. In `dist/`, `lib/data.ts` has the URL `dist/lib/data.ts`, so `new
 * URL('./quotes.txt', import.meta.url)` is `dist/lib/quotes.txt`, to which the build copies the file.
 *
 * @param root - folder of the project.
 */
export function ownModules(root: string, packages: InstalledPackages) {
  const copies = new Set<string>();
  /** Programs in separate files, such as those for workers: absolute path by path relative to `dist/`. */
  const programs = new Map<string, string>();
  const paths = createProjectPaths(root);
  const tsconfig = createTsconfigReader(paths);

  // One folder contains all programs of the framework.
  const placeOf = (file: string): string =>
    packages.isOfFramework(file) ? `virgule/${path.basename(file)}` : inDist(root, file);
  const placeOfPackage = (file: string): string =>
    `${PACKAGE_PLACE}/${file.split(path.sep).join('/').split('/node_modules/').at(-1)}`;

  async function load(file: string): Promise<OnLoadResult | undefined> {
    const isOfFramework = packages.isOfFramework(file);
    const isOwn = packages.isOwn(file);
    const text = await readFile(file, 'utf8');
    if (!MENTIONS_PLACE.test(text)) return undefined;
    try {
      const stripped = await transform(text, {
        // The loader for `.mts` is `ts`.
        loader: path.extname(file).replace(/^\.[cm]?/, '') as Loader,
        tsconfigRaw: isOwn ? tsconfig(path.dirname(file)).raw : '{}',
        sourcefile: file,
        sourcemap: 'external',
        charset: 'utf8',
        target: 'node20',
        define: PLACES,
        logLevel: 'silent',
      });
      const isFollowed = isOwn || isOfFramework;
      const own = placeSource(addressOf(isFollowed ? placeOf(file) : placeOfPackage(file)));
      const code = stripped.code.replaceAll(
        FILE_URL,
        (whole, literal: string) => (isFollowed ? follow(literal, file, own) : undefined) ?? whole,
      );
      const warnings = isOwn ? warnAbout(file, code, stripped.map) : [];
      const contents = code.replaceAll(PLACE, (_, name: string) => `${own}.${name}`);
      return {
        contents: withSourceMap(contents, stripped.map),
        loader: 'js',
        resolveDir: path.dirname(file),
        warnings,
      };
    } catch {
      // The bundler reports the fault of the file.
      return undefined;
    }
  }

  /**
   * Records the file or folder that a URL reaches, and returns the URL's expression in the build; `undefined` if the
   * build has no such file.
   */
  function follow(literal: string, file: string, own: string): string | undefined {
    const written = literal.startsWith('"')
      ? (JSON.parse(literal) as string)
      : literal.slice(1, -1);
    const url = ABSOLUTE.test(written) ? undefined : new URL(written, pathToFileURL(file));
    const wanted = url && pathOfUrl(url);
    const found = wanted === undefined ? undefined : statsOf(wanted);
    // The URL is a place to write to, or a mistake that fails in development as well.
    if (!url || wanted === undefined || !found) return `new URL(${literal}, ${own}.url)`;
    const place = placeOf(wanted);
    if (!isCopied(place) || file.startsWith(path.join(wanted, path.sep))) return undefined;
    const isProgram = found.isFile() && SCRIPT.test(wanted);
    const built = isProgram ? place.replace(SCRIPT, '.mjs') : place;
    if (isProgram) programs.set(built, wanted);
    else copies.add(wanted);
    const slash = url.pathname.endsWith('/') ? '/' : '';
    return `new URL(${placeSource(addressOf(built) + slash + url.search + url.hash)}.url)`;
  }

  function warnAbout(file: string, code: string, map: string): OnLoadResult['warnings'] {
    const find = readSourceMap(map);
    return [...code.matchAll(PLACE)].map(({ index }) => {
      const before = code.slice(0, index).split('\n');
      const line = find(before.length - 1, before.at(-1)?.length ?? 0)?.line ?? 1;
      return { text: NOT_FOLLOWED, location: { file: paths.display(file), line } };
    });
  }

  const plugin: Plugin = {
    name: 'own-modules',
    setup(build) {
      build.onLoad({ filter: SCRIPT, namespace: 'file' }, ({ path: file }) => load(file));
    },
  };
  return { plugin, copies, programs };
}

/** Returns the expression for the place of a file of the build, which the banner of each program declares. */
const placeSource = (address: string): string => `placeOfBot(${JSON.stringify(address)})`;

/**
 * Returns the place in `dist/` of a file of the project. A file outside of the project's folder gets a folder `_` for
 * each step up.
 */
export const inDist = (root: string, file: string): string =>
  path.relative(root, file).split(path.sep).join('/').replaceAll('../', '_/');

/** Returns a path relative to `dist/` as a relative URL. */
const addressOf = (place: string): string =>
  encodeURI(place).replaceAll(/[?#]/g, encodeURIComponent);

/**
 * Returns whether a file of the project may be copied. Packages, earlier builds and hidden files, such as `.env`, are
 * excluded.
 */
export const isCopied = (place: string): boolean =>
  place !== '' &&
  !/^dist(?:\/|$)/.test(place) &&
  !place
    .split('/')
    .some((name) => name === 'node_modules' || (name.startsWith('.') && name !== '.'));
