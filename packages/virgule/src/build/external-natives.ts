import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Marks a resolve call of our own, so that it is not asked for again. */
const ASKED = Symbol('asked');

/**
 * Leaves packages with native code out of the bundle and notes their names: they find their binary
 * by their place on disk.
 */
export function externalNatives(found: Set<string>): Plugin {
  return {
    name: 'external-natives',
    setup(build) {
      build.onResolve({ filter: /^[^./#]/ }, async ({ path, pluginData, ...where }) => {
        if (pluginData === ASKED || path.startsWith('node:')) return undefined;
        const resolved = await build.resolve(path, { ...where, pluginData: ASKED });
        const owner = packageOf(resolved.path);
        if (!owner || !isNative(owner.folder)) return undefined;
        found.add(owner.name);
        return { path, external: true };
      });
    },
  };
}

/** The installed package that a file belongs to. */
function packageOf(file: string): { readonly name: string; readonly folder: string } | undefined {
  const parts = file.replaceAll('\\', '/').split('/');
  const at = parts.lastIndexOf('node_modules');
  if (at < 0) return undefined;
  const words = parts[at + 1]?.startsWith('@') ? 2 : 1;
  return {
    name: parts.slice(at + 1, at + 1 + words).join('/'),
    folder: parts.slice(0, at + 1 + words).join('/'),
  };
}

/** Whether a package builds or ships a binary, by the marks that node-gyp, prebuild and napi-rs leave. */
function isNative(folder: string): boolean {
  if (existsSync(join(folder, 'binding.gyp'))) return true;
  const manifest = readManifest(join(folder, 'package.json'));
  return (
    typeof manifest === 'object' &&
    manifest !== null &&
    ('gypfile' in manifest || 'binary' in manifest || 'napi' in manifest)
  );
}

/** A folder without a sound package.json can still be bundled. */
function readManifest(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
