import { setTimeout as pause } from 'node:timers/promises';
import { cpuMicrosOf, memoryOf, treeOf } from '../rounds/process-usage.js';
import { median, percentile } from '../rounds/statistics.js';
import type { Edit, ReloadSubject, RunningSubject } from './reload-subject.js';
import { saveToAnswer } from './save-to-answer.js';

export interface ReloadResult {
  readonly subject: string;
  readonly files: number;
  readonly edit: Edit;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly samples: number;
  /** CPU time of all processes for a save without commands, the median; `undefined` for edits that replace a process. */
  readonly cpuMs: number | undefined;
  /** Over all kinds of edits, as `lost` and `reconnects`. */
  readonly asked: number;
  readonly lost: number;
  readonly reconnects: number;
  /** Memory of all processes after all saves. Shared pages count once in `pssMiB`. */
  readonly rssMiB: number;
  readonly pssMiB: number;
}

export interface MeasureReloadOptions {
  readonly files: number;
  readonly rounds: number;
  /** Number of edits of each kind per round. */
  readonly edits: number;
  readonly report: (line: string) => void;
}

interface Entrant {
  readonly subject: ReloadSubject;
  readonly running: RunningSubject;
  readonly ms: Record<Edit, number[]>;
  readonly cpuMs: Record<Edit, number[]>;
  /** After the saves and before the restarts, so that no process has just started. */
  memory: ReturnType<typeof memoryOf>;
  asked: number;
  lost: number;
}

/** Time until a program that has started is at rest, in milliseconds: V8 collects the memory of the start after 8 s. */
const REST_MS = 12_000;
/**
 * Time for a save with all that follows it, such as writes and comparisons of a watcher and the exit of the old process,
 * in milliseconds. Users do not change an environment twice in two seconds.
 */
const SETTLE_MS: Readonly<Record<Edit, number>> = { command: 1_000, helper: 1_000, restart: 2_000 };

/** Time between two commands until the new code answers. A queue of hundreds would measure the load. */
const EVERY_MS: Readonly<Record<Edit, number>> = { command: 5, helper: 5, restart: 50 };

/** Measures all subjects alternately, in each round in another order, each on a separate project and platform. */
export async function measureReload(
  subjects: readonly ReloadSubject[],
  { files, rounds, edits, report }: MeasureReloadOptions,
): Promise<ReloadResult[]> {
  const entrants: Entrant[] = [];
  try {
    for (const subject of subjects) {
      const running = await subject.start(files);
      const [ms, cpuMs] = [noSamples(), noSamples()];
      const memory = memoryOf([]);
      entrants.push({ subject, running, ms, cpuMs, memory, asked: 0, lost: 0 });
    }
    await pause(REST_MS);
    for (let round = 0; round < rounds; round += 1) {
      await measureEdits(entrants, ['command', 'helper'], edits, round);
      report(`${files} files: round ${round + 1} of ${rounds}`);
    }
    for (const entrant of entrants) entrant.memory = memoryOf(treeOf(entrant.running.pid));
    // Last, because the start of a process would add to the CPU time of the saves after it. Restarts are slow: a third is enough.
    await measureEdits(entrants, ['restart'], Math.ceil((edits * rounds) / 3), rounds);
    const results = await Promise.all(entrants.map((entrant) => resultsOf(entrant, files)));
    return results.flat();
  } finally {
    for (const { running } of entrants) await running.close();
  }
}

const noSamples = (): Record<Edit, number[]> => ({ command: [], helper: [], restart: [] });

/** Measures edits of all entrants by turns, as temporary load on the machine affects all of them. */
async function measureEdits(
  entrants: readonly Entrant[],
  kinds: readonly Edit[],
  count: number,
  round: number,
): Promise<void> {
  for (let n = 0; n < count; n += 1)
    for (const entrant of n % 2 === 0 ? entrants : entrants.toReversed())
      for (const edit of kinds)
        if (entrant.subject.edits.includes(edit)) await measureEdit(entrant, edit, round, n);
}

async function measureEdit(entrant: Entrant, edit: Edit, round: number, n: number): Promise<void> {
  const { running } = entrant;
  // Its length changes with every edit, which every watcher detects.
  const text = `${edit}${round}x${n}${'-'.repeat(n % 7)}`;
  const isNew = (answer: string): boolean => answer.split(' ').includes(text);
  const { ms, asked, lost } = await saveToAnswer(running, {
    save: () => running.save(edit, text),
    isNew,
    everyMs: EVERY_MS[edit],
  });
  entrant.ms[edit].push(ms);
  entrant.asked += asked;
  entrant.lost += lost;
  await pause(SETTLE_MS[edit]);
  if (edit === 'restart') return;
  const before = cpuMicrosOf(treeOf(running.pid));
  running.save(edit, `${text}-quiet`);
  await pause(SETTLE_MS[edit]);
  entrant.cpuMs[edit].push((cpuMicrosOf(treeOf(running.pid)) - before) / 1_000);
}

async function resultsOf(entrant: Entrant, files: number): Promise<ReloadResult[]> {
  const { subject, running, ms, cpuMs, memory, asked, lost } = entrant;
  const { rssMiB, pssMiB } = memory;
  const reconnects = (await running.identifies()) - 1;
  return subject.edits.map((edit) => {
    const sorted = ms[edit].toSorted((a, b) => a - b);
    return {
      subject: subject.name,
      files,
      edit,
      medianMs: median(sorted),
      p95Ms: percentile(sorted, 0.95),
      samples: sorted.length,
      cpuMs: edit === 'restart' ? undefined : median(cpuMs[edit]),
      asked,
      lost,
      reconnects,
      rssMiB,
      pssMiB,
    };
  });
}
