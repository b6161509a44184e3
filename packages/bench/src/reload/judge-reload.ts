import type { HeapResult } from './measure-heap.js';
import type { KillResult } from './measure-kill.js';
import type { Edit, ReloadResult } from './measure-reload.js';

/** The name under which `virgule dev` stands in the results: the targets are its own. */
export const JUDGED = 'virgule dev';

/** The longest medians, in milliseconds, up to 100 files and above. */
const TARGETS: Readonly<Record<Edit, { readonly few: number; readonly many: number | undefined }>> =
  {
    command: { few: 10, many: 15 },
    helper: { few: 20, many: 200 },
    restart: { few: 400, many: undefined },
  };
const FEW_FILES = 100;
const HEAP_MIB_PER_THOUSAND = 2;

/** The target of an edit; nothing for what is only compared with. */
export function targetOf({ subject, edit, files }: ReloadResult): number | undefined {
  const { few, many } = TARGETS[edit];
  return subject === JUDGED ? (files <= FEW_FILES ? few : many) : undefined;
}

/** What is not as it should be, a line each. */
export function judgeReload(results: readonly ReloadResult[]): string[] {
  return results
    .filter(({ subject }) => subject === JUDGED)
    .flatMap((result) => {
      const { files, edit, medianMs, lost, reconnects } = result;
      const target = targetOf(result);
      const what = `${edit}, ${files} files`;
      const missed: string[] = [];
      if (target !== undefined && medianMs > target)
        missed.push(`${what}: ${medianMs.toFixed(1)} ms, above ${target} ms`);
      if (lost > 0) missed.push(`${what}: ${lost} commands lost`);
      if (reconnects > 0) missed.push(`${what}: ${reconnects} reconnects`);
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
  if (!pageAlive) missed.push('kill: the page did not answer');
  return missed;
}
