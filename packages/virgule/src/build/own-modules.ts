import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { init, parse } from 'es-module-lexer';
import {
  transform,
  type Loader,
  type OnLoadResult,
  type Plugin,
  type TransformResult,
} from 'esbuild';
import { createProjectPaths, isDependencyPath, pathOfUrl } from '../loader/project-paths.js';
import { applyEdits, freeName, type Edit } from '../loader/read-module.js';
import { isOurPackage } from '../loader/packages.js';
import { statsOf } from '../loader/read-source.js';
import { readSourceMap, withSourceMap } from '../loader/source-maps.js';
import { createTsconfigReader } from '../loader/tsconfig.js';
import { filesOfPattern, readImportPattern } from './import-pattern.js';
import type { InstalledPackages } from './installed-package.js';
import { isPlaceOf, reachedFrom, type Reached } from './reached-path.js';

/** What the project's own files reach on disk. */
export interface OwnReach {
  /** Files and folders to copy: absolute path by path from `dist/`. */
  readonly copies: Map<string, string>;
  /** Programs that are files of their own, such as those of workers: absolute path by path from `dist/`. */
  readonly programs: Map<string, string>;
  /** Places that reach something the build cannot know, from the root: `lib/data.ts:3`. */
  readonly unknown: Set<string>;
}

/** Namespace of the modules that replace `import.meta` and for patterns of imports. */
const NAMESPACE = 'virgule-own';
/** A file with none of these is left to the bundler. */
const NEEDS_WORK = /import\.meta|\bimport\s*\(|\b__dirname\b|\b__filename\b/;
const LOADERS: Readonly<Record<string, Loader>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
  '.jsx': 'jsx',
};
export interface OwnModulesOptions {
  /** The project's folder. */
  readonly root: string;
  readonly packages: InstalledPackages;
  /** Path of the bundle that is made, from `dist/`. */
  readonly output: string;
  /** Receives what is found. */
  readonly reach: OwnReach;
}

/**
 * Sets the URL of the project's own modules to their place in `dist/`, which is that in the project, and finds what they reach
 * from there: `lib/data.ts` has the URL `dist/lib/data.ts`, so that `new URL('./quotes.txt', import.meta.url)` is
 * `dist/lib/quotes.txt`, where the build copies the file.
 */
export function ownModules({ root, packages, output, reach }: OwnModulesOptions): Plugin {
  const paths = createProjectPaths(root);
  const tsconfig = createTsconfigReader(paths);
  /** The modules in the namespace, by path. */
  const virtual = new Map<string, OnLoadResult>();
  const specifierOf = (module: string, result: OnLoadResult): string => {
    virtual.set(module, result);
    return JSON.stringify(`${NAMESPACE}:${module}`);
  };

  async function load(file: string): Promise<OnLoadResult | undefined> {
    const text = readFileSync(file, 'utf8');
    if (!NEEDS_WORK.test(text)) return undefined;
    await init();
    try {
      const stripped = await transform(text, {
        loader: LOADERS[path.extname(file)] ?? 'js',
        tsconfigRaw: tsconfig(path.dirname(file)).raw,
        sourcefile: file,
        sourcemap: 'external',
        charset: 'utf8',
        target: 'node20',
        logLevel: 'silent',
      });
      return rewrite(file, stripped);
    } catch {
      // The bundler reports what is wrong with it.
      return undefined;
    }
  }

  function rewrite(file: string, { code, map }: TransformResult): OnLoadResult | undefined {
    const [imports, , , isModule] = parse(code);
    const place = inDist(root, file);
    const folder = path.dirname(file);
    const metaName = freeName(code, 'import.meta'.length, 'import_meta');
    const edits: Edit[] = [];
    /** Declarations of the names that the edits use. */
    const declared: string[] = [];
    const metaSpecifier = (): string =>
      specifierOf(`${place}?meta`, { contents: metaModule(place, output) });
    const unknown = (offset: number): void => {
      const line = lineOf(code, map, offset);
      reach.unknown.add(paths.display(file) + (line === undefined ? '' : `:${line}`));
    };

    for (const found of imports) {
      if (found.type === 'dynamic' && (found.specifier === undefined || found.glob)) {
        const pattern = readImportPattern(code.slice(found.start, found.end));
        if (!pattern) {
          unknown(found.start);
          continue;
        }
        const contents = patternModule(filesOfPattern(pattern, folder));
        const number = declared.length;
        const name = freeName(code, 'import'.length, `$load${number}`);
        const specifier = specifierOf(`${place}?${number}`, { contents, resolveDir: folder });
        declared.push(
          isModule
            ? `import { load as ${name} } from ${specifier};`
            : `var { load: ${name} } = require(${specifier});`,
        );
        const start = found.importStart;
        edits.push({ start, end: start + name.length, text: name });
      } else if (found.type === 'import-meta') {
        edits.push({ start: found.start, end: found.end, text: metaName });
        const reached = reachedFrom(code, found);
        const followed = reached ? follow(reached, file) : isPlaceOf(code, found) && 'unknown';
        if (followed === 'unknown') unknown(found.start);
        else if (followed) edits.push(...followed);
      }
    }
    if (edits.some(({ text }) => text === metaName))
      declared.push(`import { meta as ${metaName} } from ${metaSpecifier()};`);
    if (!isModule && /\b__(?:dir|file)name\b/.test(code)) {
      declared.push(
        `var { dirname: __dirname, filename: __filename } = require(${metaSpecifier()}).meta;`,
      );
      unknown(code.search(/\b__(?:dir|file)name\b/));
    }
    if (declared.length === 0) return undefined;
    const edited = applyEdits(code, edits);
    // Imports are evaluated first wherever they are, and at the end they leave every line in its place.
    const contents = isModule ? `${edited}\n${declared.join('')}` : `${declared.join('')}${edited}`;
    return { contents: withSourceMap(contents, map), loader: 'js', resolveDir: folder };
  }

  /** Notes what is reached, and points the code at its place in `dist/`. */
  function follow(reached: Reached, file: string): readonly Edit[] | 'unknown' {
    const { literal, isUrl, start, end } = reached;
    const url = isUrl ? new URL(literal, pathToFileURL(file)) : undefined;
    const named = url ? pathOfUrl(url) : literal;
    if (named === undefined) return [];
    const wanted = path.resolve(path.dirname(file), named);
    const found = statsOf(wanted);
    // A place to write to, or a mistake that shows in development as well.
    if (!found) return [];
    const place = inDist(root, wanted);
    if (!isCopied(place) || file.startsWith(wanted + path.sep)) return 'unknown';
    const isProgram = isUrl && found.isFile() && path.extname(wanted) in LOADERS;
    const built = isProgram ? place.replace(/\.[cm]?[jt]sx?$/, '.mjs') : place;
    if (isProgram) reach.programs.set(built, wanted);
    else reach.copies.set(built, wanted);
    if (!url) return place.startsWith('_/') ? 'unknown' : [];
    const slash = url.pathname.endsWith('/') ? '/' : '';
    const text = addressOf(inDist(root, file), built) + slash + url.search + url.hash;
    return [{ start, end, text: JSON.stringify(text) }];
  }

  return {
    name: 'own-modules',
    setup(build) {
      build.onResolve({ filter: /^virgule-own:/ }, ({ path: specifier }) => ({
        path: specifier.slice(NAMESPACE.length + 1),
        namespace: NAMESPACE,
      }));
      build.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path: module }) =>
        virtual.get(module),
      );
      build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: 'file' }, ({ path: file }) =>
        isOurPackage(packages.scopeOf(file) ?? '')
          ? loadOfFramework(file, reach)
          : isDependencyPath(file)
            ? undefined
            : load(file),
      );
    },
  };
}

const FRAMEWORK_PROGRAM = /(?<=\bnew URL\()"(\.\/[^"]+\.js)"(?=, import\.meta\.url\))/g;

/** Points a package of the framework at its programs, such as the one that sends audio: they are bundled as well. */
function loadOfFramework(file: string, { programs }: OwnReach): OnLoadResult | undefined {
  const text = readFileSync(file, 'utf8');
  const contents = text.replaceAll(FRAMEWORK_PROGRAM, (literal, relative: string) => {
    const program = path.resolve(path.dirname(file), relative);
    if (!existsSync(program)) return literal;
    const place = `virgule/${path.basename(program, '.js')}.mjs`;
    programs.set(place, program);
    // All code of the framework is in `bot.mjs`.
    return JSON.stringify(`./${place}`);
  });
  return contents === text ? undefined : { contents, loader: 'js' };
}

/** Returns the source of `import.meta` of a module in a bundle. Both places are paths from `dist/`. */
function metaModule(place: string, output: string): string {
  return [
    "import { dirname } from 'node:path';",
    "import { fileURLToPath } from 'node:url';",
    `const url = new URL(${JSON.stringify(addressOf(output, place))}, import.meta.url).href;`,
    'const filename = fileURLToPath(url);',
    'const resolve = (to) => (/^\\.{0,2}\\//.test(to) ? new URL(to, url).href : import.meta.resolve(to));',
    'export const meta = { dirname: dirname(filename), filename, url, resolve };',
  ].join('\n');
}

/**
 * Returns the source of what an `import()` with a pattern loads: one of the files that were there when it
 * was bundled.
 */
function patternModule(files: ReadonlyMap<string, string>): string {
  const entries = [...files].map(
    ([specifier, file]) => `${JSON.stringify(specifier)}: () => import(${JSON.stringify(file)}),`,
  );
  return [
    `const files = { __proto__: null, ${entries.join(' ')} };`,
    'export async function load(specifier) {',
    '  const file = files[specifier];',
    '  if (file) return file();',
    '  const error = new Error(`Cannot find module "${specifier}": it was not there when the bot was built.`);',
    "  throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });",
    '}',
  ].join('\n');
}

/**
 * Returns the place in `dist/` of a file of the project. One outside of its folder gets a folder `_` for
 * each step up.
 */
export function inDist(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join('/').replaceAll('../', '_/');
}

/** Returns the URL of a file as it is written in another one. Both are paths from `dist/`. */
function addressOf(from: string, to: string): string {
  const relative = path.posix.relative(path.posix.dirname(from), to);
  return encodeURI(`./${relative}`).replaceAll(/[?#]/g, encodeURIComponent);
}

/**
 * Returns whether something of the project may be copied: no packages, no earlier build, and nothing hidden,
 * such as `.env`.
 */
export const isCopied = (place: string): boolean =>
  place !== '' &&
  !/^dist(?:\/|$)/.test(place) &&
  !place
    .split('/')
    .some((name) => name === 'node_modules' || (name.startsWith('.') && name !== '.'));

/** Returns the line of the source, counted from 1. */
function lineOf(code: string, map: string, offset: number): number | undefined {
  const lines = code.slice(0, offset).split('\n');
  return readSourceMap(map)(lines.length - 1, lines.at(-1)?.length ?? 0)?.line;
}
