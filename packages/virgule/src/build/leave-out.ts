import { builtinModules } from 'node:module';
import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild';
import { isOurPackage, splitSpecifier } from '../loader/packages.js';
import { isNative, isOptionalFor, type InstalledPackages } from './installed-package.js';

/** Marks a resolve call of this plugin, which would otherwise call itself. */
const ASKED = Symbol('asked');

export interface LeaveOutOptions {
  /** The project's folder. */
  readonly root: string;
  readonly packages: InstalledPackages;
  /** Names of packages to leave out, wherever they are imported. */
  readonly names: ReadonlySet<string>;
  /** Receives each package that is left out. `importer` is the absolute path of the file that imports it. */
  readonly onLeftOut: (name: string, importer: string) => void;
}

interface Answer {
  /** `undefined` leaves it to the bundler. */
  readonly result?: OnResolveResult | undefined;
  readonly isLeftOut?: boolean;
}

/**
 * Leaves packages out of the bundle: those that are named, and those with native code, which find their binary by their
 * place on disk. The names do not apply to what the framework itself imports.
 *
 * The answer for a specifier is remembered per folder: thousands of files import the same few packages, and the
 * bundler reads the folder again for each question.
 */
export function leaveOut({ root, packages, names, onLeftOut }: LeaveOutOptions): Plugin {
  async function answer(build: PluginBuild, args: OnResolveArgs): Promise<Answer> {
    const { path, importer, resolveDir, kind, namespace } = args;
    const { name } = splitSpecifier(path);
    const isOfFramework = isOurPackage(packages.scopeOf(importer) ?? '');
    const leftOut = { result: { path, external: true }, isLeftOut: true };
    if (names.has(name) && !isOfFramework) return leftOut;
    const where = { importer, resolveDir, kind, namespace, pluginData: ASKED };
    const found = await build.resolve(path, where);
    if (found.errors.length > 0) {
      const importing = packages.ownerOf(importer);
      // The package can do without it: the import throws where it would throw without a bundle.
      return importing && isOptionalFor(importing, name) ? { result: leftOut.result } : {};
    }
    const owner = packages.ownerOf(found.path);
    if (owner && isNative(owner)) {
      // Of what the framework can use, a project has what it installed itself.
      const isInstalled = !isOfFramework || packages.find(name, root) !== undefined;
      return isInstalled ? leftOut : { result: leftOut.result };
    }
    const { path: file, external, suffix, sideEffects } = found;
    return { result: { path: file, namespace: found.namespace, external, suffix, sideEffects } };
  }

  return {
    name: 'leave-out',
    setup(build) {
      const builtins = new Set(builtinModules);
      const known = new Map<string, Promise<Answer>>();
      build.onResolve({ filter: /^[^./#]/ }, async (args) => {
        const { path, importer, resolveDir, kind } = args;
        const { name } = splitSpecifier(path);
        const isNoPackage = /^\w[\w+.-]*:/.test(path) || builtins.has(name);
        if (args.pluginData === ASKED || isNoPackage) return undefined;
        // Of one folder all files but the framework's belong to the same package.
        const key = [resolveDir, kind, path].join('\0');
        const found = known.get(key) ?? answer(build, args);
        known.set(key, found);
        const { result, isLeftOut } = await found;
        if (isLeftOut) onLeftOut(name, importer);
        return result;
      });
    },
  };
}
