import { memoryOf, treeOf } from '../rounds/process-usage.js';
import { median, percentile } from '../rounds/statistics.js';
import { createReloadProject, type ReloadProject } from './reload-project.js';
import type { ReloadSubject, RunningSubject } from './reload-subject.js';
import { pause, saveToAnswer } from './save-to-answer.js';

const EDITS = ['command', 'helper', 'restart'] as const;
/** The edited file: a command, a file that all commands import, or the environment, which needs a new process. */
export type Edit = (typeof EDITS)[number];

export interface ReloadResult {
  readonly subject: string;
  readonly files: number;
  readonly edit: Edit;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly samples: number;
  /** Over all kinds of edits, as `lost` and `reconnects`. */
  readonly asked: number;
  readonly lost: number;
  readonly reconnects: number;
  /** Memory of all processes, after the start and after all edits. */
  readonly startMiB: number;
  readonly endMiB: number;
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
  readonly project: ReloadProject;
  readonly running: RunningSubject;
  readonly times: Record<Edit, number[]>;
  asked: number;
  lost: number;
  startMiB: number;
}

/** Until a program that has started is at rest, in milliseconds. */
const REST_MS = 4_000;
/**
 * Pause between two edits, in milliseconds, for writes of a watcher, garbage collection, the exit of the old
 * process and preparations for the next. Users do not change an environment twice in two seconds.
 */
const SETTLE_MS: Readonly<Record<Edit, number>> = { command: 150, helper: 150, restart: 2_000 };

/** Measures all subjects alternately, in each round in another order, each on a separate project and simulator. */
export async function measureReload(
  subjects: readonly ReloadSubject[],
  { files, rounds, edits, report }: MeasureReloadOptions,
): Promise<ReloadResult[]> {
  const entrants: Entrant[] = [];
  try {
    for (const subject of subjects) {
      const project = createReloadProject(files);
      const running = await subject.start(project);
      const times = { command: [], helper: [], restart: [] };
      entrants.push({ subject, project, running, times, asked: 0, lost: 0, startMiB: 0 });
    }
    await pause(REST_MS);
    for (const entrant of entrants) entrant.startMiB = memoryOf(treeOf(entrant.running.pid)).rssMiB;
    for (let round = 0; round < rounds; round += 1) {
      for (const entrant of round % 2 === 0 ? entrants : entrants.toReversed()) {
        for (const edit of EDITS) await measureEdits(entrant, edit, edits, round);
      }
      report(`${files} files: round ${round + 1} of ${rounds}`);
    }
    const results = await Promise.all(entrants.map((entrant) => resultsOf(entrant, files)));
    return results.flat();
  } finally {
    for (const { running, project } of entrants) {
      await running.close();
      project.remove();
    }
  }
}

async function measureEdits(
  entrant: Entrant,
  edit: Edit,
  edits: number,
  round: number,
): Promise<void> {
  const { project, running, times } = entrant;
  // Restarts are slow: a third of the edits is enough.
  const count = edit === 'restart' ? Math.max(1, Math.round(edits / 3)) : edits;
  for (let n = 0; n < count; n += 1) {
    // Its length changes with every edit, which every watcher detects.
    const text = `${edit}${round}x${n}${'-'.repeat(n % 7)}`;
    const save = {
      command: () => project.editCommand(text),
      helper: () => project.editHelper(text),
      restart: () => {
        project.editEnvironment(text);
        running.triggerRestart?.();
      },
    }[edit];
    const { ms, asked, lost } = await saveToAnswer(running, `/${project.command}`, save, (answer) =>
      answer.split(' ').includes(text),
    );
    times[edit].push(ms);
    entrant.asked += asked;
    entrant.lost += lost;
    await pause(SETTLE_MS[edit]);
  }
}

async function resultsOf(entrant: Entrant, files: number): Promise<ReloadResult[]> {
  const { subject, running, times, asked, lost, startMiB } = entrant;
  const endMiB = memoryOf(treeOf(running.pid)).rssMiB;
  const reconnects = (await running.chat.identifies()) - 1;
  return EDITS.map((edit) => {
    const sorted = times[edit].toSorted((a, b) => a - b);
    const [medianMs, p95Ms] = [median(sorted), percentile(sorted, 0.95)];
    const samples = sorted.length;
    return {
      subject: subject.name,
      files,
      edit,
      medianMs,
      p95Ms,
      samples,
      asked,
      lost,
      reconnects,
      startMiB,
      endMiB,
    };
  });
}
