import type { SoakSample } from './soak-records.js';

/** Handles that every process has, or that are created with the first file or timer and remain. */
const OWN = new Set(['async', 'check', 'idle', 'loop', 'pipe', 'prepare', 'timer', 'tty']);

interface Report {
  readonly libuv?: readonly { readonly type: string }[];
}

/** Returns the open handles of this process by kind, including handles that do not keep the process alive. */
export function openHandles(): Record<string, number> {
  // Skips the slow lookup of host names, which are not needed.
  Object.assign(process.report, { excludeNetwork: true });
  // Node.js documents the report, but its type is only object.
  const { libuv = [] } = process.report.getReport() as Report;
  const counts: Record<string, number> = {};
  for (const { type } of libuv) {
    if (!OWN.has(type)) counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
}

/** Returns the used heap after garbage collections, in MiB. Requires `--expose-gc`. */
export function heapMiB(): number {
  if (!globalThis.gc) throw new Error('heapMiB requires --expose-gc.');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

export const takeSample = (): SoakSample => ({ heapMiB: heapMiB(), handles: openHandles() });
