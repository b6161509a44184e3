import { builtinModules } from 'node:module';
import type { OnResolveArgs, Plugin, PluginBuild } from 'esbuild';
import { splitSpecifier } from '../loader/packages.js';
import { isNative, isOptionalFor, type InstalledPackages } from './installed-package.js';

/** Marks a resolve call of a plugin, which would otherwise be called again itself. */
export const ASKED = Symbol('asked');

type Answer = 'left-out' | 'absent' | undefined;

export interface LeaveOutOptions {
  /** The project's folder. */
  readonly root: string;
  readonly packages: InstalledPackages;
  /** Names of packages to leave out, wherever they are imported. */
  readonly names: ReadonlyMap<string, unknown>;
  /** Receives each package that is left out. `importer` is the absolute path of the file that imports it. */
  readonly onLeftOut: (name: string, importer: string) => void;
}

/**
 * Leaves packages out of the bundle: those that are named, and those with native code, which find their binary by their
 * place on disk. The names do not apply to what the framework itself imports.
 *
 * The answer for a specifier is remembered per folder: thousands of files import the same few packages.
 */
export function leaveOut({ root, packages, names, onLeftOut }: LeaveOutOptions): Plugin {
  /** Returns how far a package is left out; `undefined` for one that is in the bundle. */
  async function answer(build: PluginBuild, args: OnResolveArgs): Promise<Answer> {
    const { path, importer, resolveDir, kind, namespace } = args;
    const { name } = splitSpecifier(path);
    const isOfFramework = packages.isOfFramework(importer);
    if (names.has(name) && !isOfFramework) return 'left-out';
    const where = { importer, resolveDir, kind, namespace, pluginData: ASKED };
    const found = await build.resolve(path, where);
    if (found.errors.length > 0) {
      const importing = packages.ownerOf(importer);
      // The package can do without it: the import throws where it would throw without a bundle.
      return importing && isOptionalFor(importing, name) ? 'absent' : undefined;
    }
    const owner = packages.ownerOf(found.path);
    if (!owner || !isNative(owner)) return undefined;
    // Of what the framework can use, a project has what it installed itself.
    return isOfFramework && !packages.find(name, root) ? 'absent' : 'left-out';
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
        const asked = known.get(key) ?? answer(build, args);
        known.set(key, asked);
        const found = await asked;
        if (found === 'left-out') onLeftOut(name, importer);
        // The bundler resolves what stays in: only it knows whether a file is an ES module.
        return found && { path, external: true };
      });
    },
  };
}
