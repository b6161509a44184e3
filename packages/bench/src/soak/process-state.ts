import type { SoakSample } from './soak-records.js';

/** Handles that every process has, or that appear with the first file or timer and then stay. */
const OWN = new Set(['async', 'check', 'idle', 'loop', 'pipe', 'prepare', 'timer', 'tty']);

interface Report {
  readonly libuv?: readonly { readonly type: string }[];
}

/** Open sockets and the like of this process, by kind; those that do not keep it alive are among them. */
export function openHandles(): Record<string, number> {
  // Names of peers are not looked up: it would take time, and says nothing here.
  Object.assign(process.report, { excludeNetwork: true });
  // Node.js documents the report, its types call it an object.
  const { libuv = [] } = process.report.getReport() as Report;
  const counts: Record<string, number> = {};
  for (const { type } of libuv) {
    if (!OWN.has(type)) counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
}

/** Memory in use after a collection of garbage, in MiB. Needs `--expose-gc`. */
export function heapMiB(): number {
  if (!globalThis.gc) throw new Error('This process was started without --expose-gc.');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

export const takeSample = (): SoakSample => ({ heapMiB: heapMiB(), handles: openHandles() });
