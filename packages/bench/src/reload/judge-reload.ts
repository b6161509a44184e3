import type { HeapResult } from './measure-heap.js';
import type { KillResult } from './measure-kill.js';
import type { ReloadResult } from './measure-reload.js';
import { sapphireDev } from './sapphire-dev.js';
import { LIVE } from './virgule-dev.js';

/** A figure with a condition, which fails the bench, and a stricter aim. */
interface Check {
  readonly what: string;
  readonly value: number;
  readonly condition: number;
  readonly aim?: number;
}

/** Number of files up to which the conditions apply. */
const MAX_FILES = 100;
/** CPU time and time that the importers of a helper may take in addition, in milliseconds. */
const IMPORTERS_MS = 20;
const HEAP_MIB_PER_THOUSAND = 2;

/** Returns the conditions and aims of `virgule dev --live`. */
function checksOf(result: ReloadResult, results: readonly ReloadResult[]): Check[] {
  const { edit, files, medianMs, cpuMs, rssMiB, pssMiB, lost, reconnects } = result;
  const checks: Check[] = [
    { what: 'commands lost', value: lost, condition: 0 },
    { what: 'reconnects', value: reconnects, condition: 0 },
  ];
  if (result.subject !== LIVE || files > MAX_FILES) return checks;
  if (edit === 'restart') return [...checks, { what: 'ms', value: medianMs, condition: 400 }];
  const extraMs = edit === 'helper' ? IMPORTERS_MS : 0;
  if (cpuMs !== undefined)
    checks.push({ what: 'CPU ms', value: cpuMs - extraMs, condition: 18, aim: 15 });
  const peer = results.find((other) => other.subject === sapphireDev.name && other.files === files);
  if (peer) {
    const value = (medianMs - extraMs) / peer.medianMs;
    checks.push({ what: `ms over ${peer.subject}`, value, condition: 0.75, aim: 0.6 });
  }
  if (edit === 'command')
    checks.push(
      { what: 'RSS MiB', value: rssMiB, condition: 175, aim: 150 },
      { what: 'PSS MiB', value: pssMiB, condition: 105, aim: 90 },
    );
  return checks;
}

/** Returns a line for each missed condition, and for each aim that is not reached. */
export function judgeReload(results: readonly ReloadResult[]) {
  const judged = results
    .filter(({ subject }) => subject !== sapphireDev.name && !subject.endsWith('(base)'))
    .flatMap((result) =>
      checksOf(result, results).map((check) => ({
        ...check,
        where: `${result.subject}, ${result.edit}, ${result.files} files`,
      })),
    );
  const linesOf = (limitOf: (check: Check) => number): string[] =>
    judged
      .filter((check) => check.value > limitOf(check))
      .map(
        (check) =>
          `${check.where}: ${check.what} ${check.value.toFixed(2)}, above ${limitOf(check)}`,
      );
  return {
    missed: linesOf(({ condition }) => condition),
    ahead: linesOf(({ aim = Infinity }) => aim),
  };
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
