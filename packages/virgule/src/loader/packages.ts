import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject, orUndefined, parseJson } from '@virgule/core/objects';
import {
  resolveExports,
  resolveImports,
  type PathConditions,
  type PathConditionsMap,
} from 'resolve-pkg-maps';
import * as z from 'zod';

const text = z.string().optional().catch(undefined);
const names = z.record(z.string(), z.unknown()).optional().catch(undefined);
const packageJsonSchema = z.looseObject({
  name: text,
  version: text,
  license: z.unknown().optional(),
  // These fields decide how the files of the package are found and read.
  type: text,
  main: text,
  exports: z.unknown().optional(),
  imports: z.unknown().optional(),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  peerDependenciesMeta: names,
});

export type PackageJson = z.output<typeof packageJsonSchema>;

interface Package {
  /** Folder that contains the package.json. */
  readonly folder: string;
  readonly json: PackageJson;
}

const CONDITIONS = ['node', 'import', 'module-sync', 'default'];

/** Splits `@scope/name/sub/path` in the package's name and `./sub/path` (`.` for the package itself). */
export function splitSpecifier(specifier: string) {
  const parts = specifier.split('/');
  const name = parts.splice(0, specifier.startsWith('@') ? 2 : 1).join('/');
  return { name, subpath: ['.', ...parts].join('/') };
}

/** Returns whether the bot and the process that runs it must share a single copy of a package. */
export const isSharedPackage = (specifier: string): boolean =>
  isOurPackage(specifier) || splitSpecifier(specifier).name === 'zod';

/** Returns whether a package belongs to the framework. */
export function isOurPackage(specifier: string): boolean {
  const { name } = splitSpecifier(specifier);
  return name === 'virgule' || name.startsWith('@virgule/');
}

/** Creates a finder of packages. Each folder is read once; a changed package.json needs a new finder. */
export function createPackages() {
  const scopes = new Map<string, Package | undefined>();

  function scopeOf(folder: string): Package | undefined {
    if (scopes.has(folder)) return scopes.get(folder);
    const json = readPackageJson(folder);
    const parent = path.dirname(folder);
    const found = json ? { folder, json } : parent === folder ? undefined : scopeOf(parent);
    scopes.set(folder, found);
    return found;
  }

  return {
    /** Returns the package that a folder belongs to. */
    scopeOf,
    /** Returns the folder that Node.js would take package `name` from, for a file in `folder`. */
    find(name: string, folder: string): string | undefined {
      for (let at = folder; ; at = path.dirname(at)) {
        const candidate = path.join(at, 'node_modules', name);
        if (path.basename(at) !== 'node_modules' && existsSync(candidate)) return candidate;
        if (path.dirname(at) === at) return undefined;
      }
    },
    /** Returns the paths, best first, of the specifier `#x`; a path that is not absolute names another package. */
    imports({ folder, json }: Package, specifier: string): readonly string[] {
      if (!isObject(json.imports)) return [];
      // Node.js documents the field. A field of another form makes the call throw, as does a field that does not
      // define the request.
      const targets = orUndefined(() =>
        resolveImports(json.imports as PathConditionsMap, specifier, CONDITIONS),
      );
      const absolute = (target: string): string =>
        target.startsWith('.') ? path.join(folder, target) : target;
      return targets?.map(absolute) ?? [];
    },
    /** Returns the absolute paths, best first, that `subpath` (`.` or `./x`) of the package in `folder` means. */
    exports(folder: string, subpath: string): readonly string[] {
      const json = readPackageJson(folder);
      if (json?.exports === undefined || json.exports === null)
        return [path.join(folder, subpath === '.' ? (json?.main ?? 'index.js') : subpath)];
      const request = subpath === '.' ? '' : subpath.slice(2);
      // A field of another form makes the call throw, as above.
      const targets = orUndefined(() =>
        resolveExports(json.exports as PathConditions, request, CONDITIONS),
      );
      return targets?.map((target) => path.join(folder, target)) ?? [];
    },
  };
}

/** Reads the package.json of a folder; `undefined` when the file does not exist or is invalid. */
export const readPackageJson = (folder: string): PackageJson | undefined =>
  parseJson(() => readFileSync(path.join(folder, 'package.json'), 'utf8'), packageJsonSchema).data;
