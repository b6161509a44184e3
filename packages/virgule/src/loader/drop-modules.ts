import { dependenciesOf, targetsOf, type ProjectModule } from './graph-module.js';

/** Takes out what did not come to run, and every module of a cycle that needs it. */
export function dropUnusable(modules: Map<string, ProjectModule>): Iterable<ProjectModule> {
  const dropped = new Set<ProjectModule>();
  let before: number;
  do {
    before = dropped.size;
    for (const module of modules.values()) {
      const isUsable = module.state !== 'compiled' && module.state !== 'failed';
      if (isUsable && (dropped.size === 0 || !needsAny(module, dropped))) continue;
      dropped.add(module);
      modules.delete(module.file);
    }
  } while (dropped.size > before);
  return dropped;
}

const needsAny = ({ links }: ProjectModule, modules: ReadonlySet<unknown>): boolean =>
  [...links.values()].some((link) => modules.has(link));

/** Takes out what no entry leads to. */
export function dropUnreached(
  entries: Iterable<string>,
  modules: Map<string, ProjectModule>,
): ProjectModule[] {
  const reached = dependenciesOf(entries, modules);
  const dropped = [...modules.values()].filter(({ file }) => !reached.has(file));
  for (const { file } of dropped) modules.delete(file);
  return dropped;
}

/** Returns whether something that a module needs or has reached is not what its replacement leads to. */
export function losesTarget(module: ProjectModule, successor: ProjectModule | undefined): boolean {
  const still = new Set(successor && targetsOf(successor));
  return [...targetsOf(module)].some((file) => !still.has(file));
}
