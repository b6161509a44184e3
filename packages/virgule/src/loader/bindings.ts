import { isObject } from '@virgule/core/objects';
import type { GraphModule, Namespace, ProjectModule } from './graph-module.js';

/** Reads the live value of an export. */
type Binding = () => unknown;

/** Returns the object from which an importer reads names of a module. */
export const importedFrom = (target: GraphModule): object =>
  target.kind === 'module'
    ? namespaceOf(target)
    : new Proxy(target, { get: (_, name) => bindingOf(target, String(name))?.() });

/** Returns whether a module certainly does not export `name`: a package that is not imported yet may decide. */
export function lacksExport(target: GraphModule, name: string): boolean {
  const found = resolveExport(target, name);
  return found === undefined || found === 'ambiguous';
}

/** Returns the names that a module exports, sorted, as far as they are known. */
export const exportNames = (target: GraphModule): string[] =>
  [...namesIn(target, new Set())].filter((name) => bindingOf(target, name)).toSorted();

/** Returns the namespace object of a module, with live getters. */
export function namespaceOf(target: GraphModule): Namespace {
  if (target.kind === 'dependency') return target.namespace ?? {};
  if (target.namespace) return target.namespace;
  const namespace: Namespace = Object.create(null);
  for (const name of [...namesIn(target, new Set())].toSorted()) {
    const get = bindingOf(target, name);
    if (get) Object.defineProperty(namespace, name, { get, enumerable: true });
  }
  Object.defineProperty(namespace, Symbol.toStringTag, { value: 'Module' });
  Object.preventExtensions(namespace);
  // A module runs after the import of all packages that it re-exports: before, its names may be incomplete.
  if (target.state === 'running' || target.state === 'done') target.namespace = namespace;
  return namespace;
}

function bindingOf(target: GraphModule, name: string): Binding | undefined {
  const found = resolveExport(target, name);
  return typeof found === 'object' ? found.get : undefined;
}

/** Export with the module that defines it. A name that reaches a module by two paths has one owner. */
interface Found {
  readonly owner: GraphModule;
  readonly name: string;
  readonly get: Binding;
}

/**
 * Result of a search for a name. `ambiguous`: two `export *` provide the name with different values, so it is not exported.
 * `unknown`: a package that is not imported yet may export it.
 */
type Search = Found | 'ambiguous' | 'unknown' | undefined;

function resolveExport(target: GraphModule, name: string, before?: Set<string>): Search {
  if (name === '*') return { owner: target, name, get: () => namespaceOf(target) };
  if (target.kind === 'dependency') {
    const { namespace } = target;
    const get = namespace && bindingOfDependency(namespace, name);
    return namespace ? get && { owner: target, name, get } : 'unknown';
  }
  const { compiled, links } = target;
  if (compiled.localExports.has(name))
    return { owner: target, name, get: () => readLocal(target, name) };
  const reexport = compiled.reexports.get(name);
  // A name met twice is a cycle of re-exports: no module defines the name.
  const met = `${target.file} ${name}`;
  const seen = before ?? new Set();
  if (seen.has(met)) return undefined;
  seen.add(met);
  if (reexport) {
    const from = links.get(reexport.specifier);
    return from ? resolveExport(from, reexport.imported, seen) : 'unknown';
  }
  if (name === 'default') return undefined;
  let found: Found | 'unknown' | undefined;
  for (const specifier of compiled.stars) {
    const from = links.get(specifier);
    const next = from ? resolveExport(from, name, seen) : 'unknown';
    if (next === 'ambiguous') return next;
    if (typeof next !== 'object') found ??= next;
    else if (typeof found !== 'object') found = next;
    else if (!isSame(found, next)) return 'ambiguous';
  }
  return found;
}

function isSame(one: Found, other: Found): boolean {
  if (one.owner === other.owner) return one.name === other.name;
  // Re-exports between packages are invisible; equal values are taken as one export.
  const areDependencies = one.owner.kind === 'dependency' && other.owner.kind === 'dependency';
  return areDependencies && Object.is(one.get(), other.get());
}

function readLocal(module: ProjectModule, name: string): unknown {
  // In a cycle, a module can be read before its code was entered at all.
  if (!module.exported) throw new ReferenceError(`Cannot access '${name}' before initialization`);
  return module.exported[name];
}

function bindingOfDependency(namespace: Namespace, name: string): Binding | undefined {
  if (name in namespace) return () => namespace[name];
  // Node.js may miss the export names of a CommonJS package that a bundler finds.
  const whole = namespace['default'];
  if (name === 'default' || (!isObject(whole) && typeof whole !== 'function')) return undefined;
  return name in whole ? () => (whole as Record<string, unknown>)[name] : undefined;
}

/** Returns the names that a module may export: two `export *` may have the same one. */
function namesIn(target: GraphModule, seen: Set<GraphModule>): ReadonlySet<string> {
  if (target.kind === 'dependency') return new Set(Object.keys(target.namespace ?? {}));
  if (seen.has(target)) return new Set();
  seen.add(target);
  const { localExports, reexports, stars } = target.compiled;
  const passed = stars.flatMap((specifier) => {
    const from = target.links.get(specifier);
    return from ? [...namesIn(from, seen)].filter((name) => name !== 'default') : [];
  });
  return new Set([...localExports, ...reexports.keys(), ...passed]);
}
