import { setTimeout as pause } from 'node:timers/promises';
import type { RunningSubject } from './reload-subject.js';

export interface SaveToAnswer {
  /** Time from the write of the file to the first answer from the new code, in milliseconds. */
  readonly ms: number;
  readonly asked: number;
  /** Number of commands that were never answered. */
  readonly lost: number;
}

/** Maximum time until an edit takes effect, in milliseconds. */
const TIMEOUT_MS = 60_000;
/** Time after which a command without an answer is lost, in milliseconds: longer than a platform waits. */
const LOST_MS = 10_000;

export interface SaveOptions {
  readonly save: () => void;
  readonly isNew: (answer: string) => boolean;
  /** Time between two commands, in milliseconds. */
  readonly everyMs: number;
}

/** Saves a file, and sends commands until an answer comes from the new code. */
export async function saveToAnswer(
  { ask }: Pick<RunningSubject, 'ask'>,
  { save, isNew, everyMs }: SaveOptions,
): Promise<SaveToAnswer> {
  const pending: Promise<void>[] = [];
  let lost = 0;
  let tookMs: number | undefined;
  const startMs = performance.now();
  const isLate = (): boolean => performance.now() - startMs > TIMEOUT_MS;

  async function askOnce(): Promise<void> {
    const answer = await Promise.race([ask(), pause(LOST_MS, undefined, { ref: false })]);
    if (answer === undefined) lost += 1;
    else if (isNew(answer)) tookMs ??= performance.now() - startMs;
  }

  save();
  while (tookMs === undefined && !isLate()) {
    pending.push(askOnce());
    await pause(everyMs);
  }
  await Promise.all(pending);
  if (tookMs === undefined)
    throw new Error(`The edit had no effect within ${TIMEOUT_MS / 1_000} s.`);
  return { ms: tookMs, asked: pending.length, lost };
}
