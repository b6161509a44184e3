import { accessSync, constants, existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Esbuild from 'esbuild';
import { PACKAGE_FOLDER } from '../package-folder.js';
import { canCache, keepCode, runCached, writeWhole } from './run-cached.js';

/** A CommonJS file in a function, as `bundle.mjs` prints it. */
type CommonJs = (
  require: (name: string) => unknown,
  module: { exports: unknown },
  importNative: (name: string) => Promise<unknown>,
  url: string,
) => void;

/** Exports of `bin/cli.ts`. */
interface Cli {
  readonly main: (keepCode?: () => void) => Promise<void>;
}

const DIST = path.join(PACKAGE_FOLDER, 'dist');
const CACHE = path.join(DIST, '.cache');
/** Entries of zod that the command line or a project uses. */
const ZOD = ['zod', 'zod/v4', 'zod/v4/core'];
/** Node.js warns about an ES module that is required, except by a file in a folder of this name. */
const requireNative = createRequire(path.join(DIST, 'node_modules', 'file'));

/**
 * Loads the command line, and zod when it is needed, each from one file and with the code that V8 compiled when `command` ran for
 * the first time. V8 has such a cache for scripts only, and not for ES modules, in Node.js 20.
 *
 * @returns `undefined` where the cache cannot be written, such as in a container, and with a zod or Node.js that is too old.
 */
export function loadCachedCli(command: string): Pick<Cli, 'main'> | undefined {
  try {
    if (!canCache || !sharesSettings(zodVersion())) return undefined;
    mkdirSync(CACHE, { recursive: true });
    accessSync(CACHE, constants.W_OK);
  } catch {
    return undefined;
  }
  let zod: Readonly<Record<string, unknown>> | undefined;

  function run(file: string): unknown {
    const module = { exports: {} };
    const cacheFile = path.join(CACHE, `${command}-${path.basename(file)}`);
    const script = runCached(file, cacheFile) as CommonJs;
    script(requireOwn, module, importOwn, pathToFileURL(file).href);
    return module.exports;
  }

  function requireOwn(name: string): unknown {
    if (!ZOD.includes(name)) return requireNative(name);
    zod ??= loadZod();
    return zod[name];
  }

  function loadZod(): Readonly<Record<string, unknown>> {
    const file = path.join(CACHE, `zod-${zodVersion()}.cjs`);
    try {
      if (!existsSync(file)) writeZod(file);
      const exported = run(file) as ReturnType<typeof loadZod>;
      if (ZOD.every((name) => name in exported)) return exported;
      throw new Error('an entry is missing');
    } catch {
      // The disk is full, or the file is damaged or of another version of this package.
      rmSync(file, { force: true, recursive: true });
      return Object.fromEntries(ZOD.map((name) => [name, requireNative(name)]));
    }
  }

  const importOwn = async (name: string): Promise<unknown> =>
    ZOD.includes(name) ? requireOwn(name) : import(name);

  const { main } = run(path.join(DIST, 'cli.cjs')) as Cli;
  return { main: () => main(keepCode) };
}

const zodVersion = (): string =>
  (requireNative('zod/package.json') as { readonly version: string }).version;

/** Returns whether the copies of a version of zod share their settings, such as the language of messages. */
function sharesSettings(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 4 || (major === 4 && minor >= 4);
}

/** Writes the zod that this package uses as one file. */
function writeZod(file: string): void {
  const { buildSync } = requireNative('esbuild') as typeof Esbuild;
  const lines = ZOD.map((name) => `exports['${name}'] = require('${name}');`);
  const { outputFiles } = buildSync({
    stdin: { contents: lines.join(''), resolveDir: PACKAGE_FOLDER },
    bundle: true,
    write: false,
    format: 'cjs',
    minifyWhitespace: true,
    lineLimit: 160,
    banner: { js: '(function (require, module) { const { exports } = module;' },
    footer: { js: '})' },
  });
  writeWhole(file, outputFiles[0]?.contents ?? '');
}
