import { isObject } from '@virgule/core/objects';
import type { Dependency, GraphModule, Namespace, ProjectModule } from './graph-module.js';

/** Reads the live value of an export. */
type Binding = () => unknown;

/** Returns the object from which an importer reads names of a module. */
export const importedFrom = (target: GraphModule): object =>
  target.kind === 'module'
    ? namespaceOf(target)
    : new Proxy(target, { get: (_, name) => bindingOf(target, String(name))?.() });

/** Returns whether a module certainly does not export `name`: a package that is not imported yet may decide. */
export const lacksExport = (target: GraphModule, name: string): boolean =>
  !bindingOf(target, name) && namesAreKnown(target);

/** Returns the names that a module exports, sorted, as far as they are known. */
export const exportNames = (target: GraphModule): string[] =>
  [...namesIn(target, new Set())].filter((name) => bindingOf(target, name)).toSorted();

/** Returns the namespace object of a module, with live getters. */
export function namespaceOf(target: GraphModule): Namespace {
  if (target.kind === 'dependency') return target.namespace ?? {};
  if (target.namespace) return target.namespace;
  const namespace: Namespace = Object.create(null);
  for (const name of exportNames(target)) {
    const get = bindingOf(target, name);
    Object.defineProperty(namespace, name, { get, enumerable: true });
  }
  Object.defineProperty(namespace, Symbol.toStringTag, { value: 'Module' });
  Object.preventExtensions(namespace);
  // The names are incomplete until all re-exported packages are imported.
  if (namesAreKnown(target)) target.namespace = namespace;
  return namespace;
}

function bindingOf(target: GraphModule, name: string): Binding | undefined {
  const found = resolveExport(target, name, new Set());
  return found === AMBIGUOUS ? undefined : found?.get;
}

/** Export with the module that defines it. A name that reaches a module by two paths has one owner. */
interface Found {
  readonly owner: GraphModule;
  readonly name: string;
  readonly get: Binding;
}

/** Marks a name that two `export *` provide with different values; such a name is not exported. */
const AMBIGUOUS = Symbol('ambiguous');

function resolveExport(
  target: GraphModule,
  name: string,
  seen: Set<string>,
): Found | typeof AMBIGUOUS | undefined {
  if (name === '*') return { owner: target, name, get: () => namespaceOf(target) };
  if (target.kind === 'dependency') {
    const get = bindingOfDependency(target, name);
    return get && { owner: target, name, get };
  }
  const { compiled, links } = target;
  if (compiled.localExports.has(name)) {
    return { owner: target, name, get: () => readLocal(target, name) };
  }
  const reexport = compiled.reexports.get(name);
  // A name met twice is a cycle of re-exports: no module defines the name.
  const met = `${target.file} ${name}`;
  if (seen.has(met)) return undefined;
  seen.add(met);
  if (reexport) {
    const from = links.get(reexport.specifier);
    return from && resolveExport(from, reexport.imported, seen);
  }
  if (name === 'default') return undefined;
  let found: Found | undefined;
  for (const specifier of compiled.stars) {
    const from = links.get(specifier);
    const next = from && resolveExport(from, name, seen);
    if (next === undefined) continue;
    if (next === AMBIGUOUS || (found && !isSame(found, next))) return AMBIGUOUS;
    found ??= next;
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

function bindingOfDependency({ namespace }: Dependency, name: string): Binding | undefined {
  if (!namespace) return undefined;
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

function namesAreKnown(target: GraphModule, seen = new Set<GraphModule>()): boolean {
  if (target.kind === 'dependency') return target.namespace !== undefined;
  if (seen.has(target)) return true;
  seen.add(target);
  const from = [
    ...target.compiled.stars,
    ...[...target.compiled.reexports.values()].map((found) => found.specifier),
  ];
  return from.every((specifier) => {
    const link = target.links.get(specifier);
    return link !== undefined && namesAreKnown(link, seen);
  });
}
