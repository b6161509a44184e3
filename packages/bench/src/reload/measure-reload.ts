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
  /** Memory of all processes after all edits. Shared pages count once in `pssMiB`. */
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
  asked: number;
  lost: number;
}

/** Until a program that has started is at rest, in milliseconds. */
const REST_MS = 4_000;
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
      entrants.push({ subject, running, ms, cpuMs, asked: 0, lost: 0 });
    }
    await pause(REST_MS);
    for (let round = 0; round < rounds; round += 1) {
      for (let n = 0; n < edits; n += 1) {
        // By turns, as temporary load on the machine affects all of them.
        for (const entrant of n % 2 === 0 ? entrants : entrants.toReversed())
          for (const edit of entrant.subject.edits) {
            // Restarts are slow: a third of the edits is enough.
            if (edit !== 'restart' || n % 3 === 0) await measureEdit(entrant, edit, round, n);
          }
      }
      report(`${files} files: round ${round + 1} of ${rounds}`);
    }
    const results = await Promise.all(entrants.map((entrant) => resultsOf(entrant, files)));
    return results.flat();
  } finally {
    for (const { running } of entrants) await running.close();
  }
}

const noSamples = (): Record<Edit, number[]> => ({ command: [], helper: [], restart: [] });

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
  const { subject, running, ms, cpuMs, asked, lost } = entrant;
  const { rssMiB, pssMiB } = memoryOf(treeOf(running.pid));
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
