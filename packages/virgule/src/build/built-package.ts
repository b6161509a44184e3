import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import * as z from 'zod';
import type { Bundle } from './bundle.js';
import { isOwn } from './bundle-graph.js';

/** The packages that are not in the bundle, in the versions it was built with. */
interface BuiltPackage {
  /** Exact versions by name; a package that is not installed has the range of the project. */
  readonly dependencies: Readonly<Record<string, string>>;
}

const dependenciesSchema = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

/**
 * Lists what a build has to have installed. Packages that are left out may load others by a name that the project passes to
 * them, such as the target of a transport: what the project depends on, does not import and names in a string counts.
 */
export function describePackage(root: string, { external, bundled, graph }: Bundle): BuiltPackage {
  const declared = readDependencies(root);
  const dependencies = new Map<string, string>();
  for (const [name, found] of external)
    dependencies.set(name, found?.manifest.version ?? declared[name] ?? '*');
  if (external.size > 0) {
    const isBundled = new Set(bundled.map(({ name }) => name));
    const candidates = Object.keys(declared).filter(
      (name) => !isBundled.has(name) && !external.has(name) && !isLinked(root, name, graph),
    );
    for (const name of namedIn(graph, candidates))
      dependencies.set(name, versionOf(root, name) ?? declared[name] ?? '*');
  }
  const sorted = [...dependencies].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return { dependencies: Object.fromEntries(sorted) };
}

/** Returns whether a package is linked, such as one of the same workspace, and so in the bundle like files of the project. */
function isLinked(root: string, name: string, { files }: Bundle['graph']): boolean {
  const installed = join(root, 'node_modules', name);
  if (!existsSync(installed)) return false;
  const folder = realpathSync(installed) + sep;
  return [...files.values()].some(({ absolute }) => absolute.startsWith(folder));
}

/** Returns the names that a file of the project has in quotes. */
function namedIn({ files }: Bundle['graph'], names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const found = new Set<string>();
  for (const file of files.values()) {
    if (!isOwn(file)) continue;
    const text = readFileSync(file.absolute, 'utf8');
    for (const name of names)
      if (['"', "'", '`'].some((quote) => text.includes(quote + name + quote))) found.add(name);
  }
  return [...found];
}

function readDependencies(root: string): Readonly<Record<string, string>> {
  return (
    dependenciesSchema.safeParse(readJson(join(root, 'package.json'))).data?.dependencies ?? {}
  );
}

function versionOf(root: string, name: string): string | undefined {
  const manifest = readJson(join(root, 'node_modules', name, 'package.json'));
  return z.object({ version: z.string() }).safeParse(manifest).data?.version;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
