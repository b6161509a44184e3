import { readFileSync } from 'node:fs';

/**
 * Returns the memory of a process and of all that it started: the sum of their resident sets, in MiB, which counts pages
 * once for each process that shares them. `undefined` without `/proc`.
 */
export function treeMemoryMiB(pid: number | undefined): number | undefined {
  try {
    return pid === undefined ? undefined : sumOf(pid) / 1_024;
  } catch {
    return undefined;
  }
}

function sumOf(pid: number): number {
  const read = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');
  const own = Number(/^VmRSS:\s+(\d+) kB$/m.exec(read('status'))?.[1]);
  const children = read(`task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return children.reduce((sum, child) => sum + sumOf(child), own);
}
