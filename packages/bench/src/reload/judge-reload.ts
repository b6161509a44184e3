import type { HeapResult } from './measure-heap.js';
import type { KillResult } from './measure-kill.js';
import type { Edit, ReloadResult } from './measure-reload.js';

/** Name of `virgule dev` in the results. Only it has targets. */
export const JUDGED = 'virgule dev';

/** Maximum medians in milliseconds, for up to 100 files and for more. */
const TARGETS: Readonly<Record<Edit, { readonly few: number; readonly many: number | undefined }>> =
  {
    command: { few: 10, many: 15 },
    helper: { few: 20, many: 200 },
    restart: { few: 400, many: undefined },
  };
const MAX_FEW_FILES = 100;
const HEAP_MIB_PER_THOUSAND = 2;
/** Memory of all processes of `virgule dev`, before the first edit and after the last edit, with up to 100 files. */
const TREE_MIB = 200;

/** Returns the target of an edit; `undefined` for subjects without targets. */
export function targetOf({ subject, edit, files }: ReloadResult): number | undefined {
  const { few, many } = TARGETS[edit];
  return subject === JUDGED ? (files <= MAX_FEW_FILES ? few : many) : undefined;
}

/** Returns a line for each missed target. */
export function judgeReload(results: readonly ReloadResult[]): string[] {
  return results
    .filter(({ subject }) => subject === JUDGED)
    .flatMap((result) => {
      const { files, edit, medianMs, lost, reconnects, startMiB, endMiB } = result;
      const mostMiB = Math.max(startMiB, endMiB);
      const target = targetOf(result);
      const what = `${edit}, ${files} files`;
      const missed: string[] = [];
      if (target !== undefined && medianMs > target)
        missed.push(`${what}: ${medianMs.toFixed(1)} ms, above ${target} ms`);
      if (lost > 0) missed.push(`${what}: ${lost} commands lost`);
      if (reconnects > 0) missed.push(`${what}: ${reconnects} reconnects`);
      if (edit === 'command' && files <= MAX_FEW_FILES && mostMiB > TREE_MIB)
        missed.push(`memory, ${files} files: ${mostMiB.toFixed(0)} MiB, above ${TREE_MIB} MiB`);
      return missed;
    });
}

export function judgeHeap({ mebibytesPerThousand, handles, reconnects }: HeapResult): string[] {
  const missed: string[] = [];
  if (mebibytesPerThousand > HEAP_MIB_PER_THOUSAND) {
    const growth = `${mebibytesPerThousand.toFixed(2)} MiB per 1,000 reloads`;
    missed.push(`heap: ${growth}, above ${HEAP_MIB_PER_THOUSAND}`);
  }
  if (handles.last > handles.first)
    missed.push(`handles: from ${handles.first} to ${handles.last}`);
  if (reconnects > 0) missed.push(`heap: ${reconnects} reconnects`);
  return missed;
}

export function judgeKill({ unanswered, reconnects, pageAlive }: KillResult): string[] {
  const missed: string[] = [];
  if (unanswered > 0) missed.push(`kill: ${unanswered} commands unanswered`);
  if (reconnects > 0) missed.push(`kill: ${reconnects} reconnects`);
  if (!pageAlive) missed.push('kill: the page did not respond');
  return missed;
}
