import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isObject } from '@virgule/core/objects';
import {
  createPackages,
  isOurPackage,
  readPackageJson,
  type PackageJson,
} from '../loader/packages.js';

/** Installed package: the folder and content of its package.json. */
export interface InstalledPackage {
  readonly name: string;
  readonly folder: string;
  /** Content of the package.json; empty if it is invalid, in which case the package can still be bundled. */
  readonly manifest: PackageJson;
}

/** Finds the package of a file. Each package.json is read once. */
export type InstalledPackages = ReturnType<typeof createInstalledPackages>;

export function createInstalledPackages() {
  const packages = createPackages();
  const known = new Map<string, InstalledPackage>();

  function read(name: string, folder: string): InstalledPackage {
    const found = known.get(folder) ?? { name, folder, manifest: readPackageJson(folder) ?? {} };
    known.set(folder, found);
    return found;
  }

  /** Returns the package.json of the framework's package that a file belongs to, regardless of the folder. */
  function frameworkOf(file: string): PackageJson | undefined {
    const { json } = packages.scopeOf(path.dirname(file)) ?? {};
    return isOurPackage(json?.name ?? '') ? json : undefined;
  }
  const isOfFramework = (file: string): boolean => frameworkOf(file) !== undefined;

  function ownerOf(file: string): InstalledPackage | undefined {
    const parts = file.replaceAll('\\', '/').split('/');
    const at = parts.lastIndexOf('node_modules');
    if (at < 0) return undefined;
    const end = at + (parts[at + 1]?.startsWith('@') ? 3 : 2);
    if (parts.length < end) return undefined;
    return read(parts.slice(at + 1, end).join('/'), parts.slice(0, end).join('/'));
  }

  return {
    frameworkOf,
    isOfFramework,
    /** Returns the package of a file; `undefined` if it is not below a `node_modules` folder. */
    ownerOf,
    /** Returns whether a file belongs to the project, or to a package that is linked into it. */
    isOwn: (file: string): boolean => !ownerOf(file) && !isOfFramework(file),
    /** Returns the package that code in `folder` imports by this name. */
    find(name: string, folder: string): InstalledPackage | undefined {
      const found = packages.find(name, folder);
      return found === undefined
        ? undefined
        : read(name, realpathSync(found).replaceAll('\\', '/'));
    },
  };
}

/** Loaders of native addons: each package with an addon is published with one of these, or depends on it. */
const ADDON_LOADERS = [
  'bindings',
  'node-gyp-build',
  'node-addon-api',
  'prebuild-install',
  '@mapbox/node-pre-gyp',
  '@neon-rs/load',
];
/** Matches names such as `@img/sharp-linux-x64`, which exist for each system; one of them is installed. */
const PLATFORM_PACKAGE = /(?:^|[-_/.])(?:linux|darwin|win32|freebsd|android)(?:[-_/.]|$)/;

/** Returns whether a package contains or loads a binary, which it finds by its place on disk. */
export function isNative({ folder, manifest }: InstalledPackage): boolean {
  return (
    ['gypfile', 'binary', 'napi', 'neon'].some((key) => key in manifest) ||
    ADDON_LOADERS.some((name) => Object.hasOwn(manifest.dependencies ?? {}, name)) ||
    Object.keys(manifest.optionalDependencies ?? {}).some((name) => PLATFORM_PACKAGE.test(name)) ||
    existsSync(path.join(folder, 'binding.gyp'))
  );
}

/** Returns whether a package works without another one, which it imports only if installed. */
export function isOptionalFor(manifest: PackageJson, name: string): boolean {
  const meta = manifest.peerDependenciesMeta?.[name];
  const isOptionalPeer = isObject(meta) && 'optional' in meta && meta.optional === true;
  return isOptionalPeer || Object.hasOwn(manifest.optionalDependencies ?? {}, name);
}
